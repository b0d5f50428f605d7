export interface PlanFacts {
  readonly buffers: number
  readonly rowsRemoved: number
  /** Rows in the largest sort. */
  readonly greatestSort: number
  readonly sequentialScans: readonly string[]
  readonly milliseconds: number
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Tables with one row per object type: a scan of them reads no more than their index would. */
const oneRowPerType = /^(clock|commits)$/

export function readPlan(explained: unknown): PlanFacts {
  const [statement] = explained as [{ readonly Plan: PlanNode; readonly 'Execution Time': number }]
  const nodes = allNodes(statement.Plan)
  return {
    buffers: statement.Plan['Shared Hit Blocks'] + statement.Plan['Shared Read Blocks'],
    rowsRemoved: nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0),
    greatestSort: nodes
      .filter((node) => node['Node Type'].endsWith('Sort'))
      .flatMap((node) => node.Plans ?? [])
      .reduce((most, input) => Math.max(most, input['Actual Rows']), 0),
    sequentialScans: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && !oneRowPerType.test(node['Relation Name'] ?? ''))
      .map((node) => node['Relation Name'] ?? ''),
    milliseconds: statement['Execution Time'],
  }
}

const allNodes = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(allNodes)]
