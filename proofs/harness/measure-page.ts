// The cost of a page: every statement that it runs, by EXPLAIN.
import type { Query } from '@octavo/protocol'
import {
  chosenOrder,
  type Database,
  nextWalk,
  nothingRead,
  type ObjectType,
  type PagePlan,
  type PageRequest,
  planPage,
  readPage,
  rowSourcesOf,
  type SqlQuery,
  type SqlValue,
  type Store,
  type Walk,
  type WalkStart,
} from '../../packages/service/test/inside.ts'
import { readPlan, type PlanFacts } from './read-plan.ts'
import { databaseThat } from '../../packages/service/test/support/database-that.ts'

export interface PageCost {
  /** How many results precede the page. */
  readonly depth: number
  readonly rows: number
  readonly buffers: number
  readonly milliseconds: number
  readonly statements: number
  readonly sequentialScans: readonly string[]
  readonly way: string
}

export interface MeasureOptions {
  readonly query: Query
  /** How many results precede the second measured page. */
  readonly depth: number
  readonly pageSize: number
}

/** The first page, and the one at the depth. */
export async function measurePages(
  store: Store,
  type: ObjectType,
  { query, depth, pageSize }: MeasureOptions,
): Promise<readonly [PageCost, PageCost]> {
  const first = await measure(store, { type, query, pageSize, walk: undefined })
  let walk: Walk | undefined
  while ((walk?.served ?? 0) < depth) {
    const request = requestOf(query, Math.min(1_000, depth - (walk?.served ?? 0)))
    const plan = await planOf(store, { type, request, walk })
    const rows = await store.readPage(plan)
    if (rows.position === undefined) throw new Error(`the walk ended before ${depth}`)
    const start: WalkStart = {
      mode: { kind: 'default' },
      order: chosenOrder(plan, request),
      total: undefined,
      newWalkId: () => 'walk',
    }
    walk = { ...nextWalk(walk, rows.objects, start), position: rows.position }
  }
  return [first, await measure(store, { type, query, pageSize, walk })]
}

const requestOf = (query: Query, pageSize: number): PageRequest => ({
  endpoint: 'searchObjects',
  pageSize,
  pageToken: undefined,
  snapshot: false,
  orderBy: [],
  select: undefined,
  query,
  filters: [],
})

interface Planned {
  readonly type: ObjectType
  readonly request: PageRequest
  readonly walk: Walk | undefined
}

const planOf = async (store: Store, { type, request, walk }: Planned): Promise<PagePlan> =>
  planPage({ type, request, claims: {}, walk, estimate: (...asked) => store.estimateMatches(type, ...asked) })

interface MeasuredPage {
  readonly type: ObjectType
  readonly query: Query
  readonly pageSize: number
  readonly walk: Walk | undefined
}

async function measure(store: Store, { type, query, pageSize, walk }: MeasuredPage): Promise<PageCost> {
  const plan = await planOf(store, { type, request: requestOf(query, pageSize), walk })
  const facts: PlanFacts[] = []
  const database: Database = databaseThat(store.database, {
    eachRow: async (statement, takeRow, signal) => {
      facts.push(await explainPrepared(store.database, statement))
      return store.database.eachRow(statement, takeRow, signal)
    },
    bytes: async (statement, signal) => {
      facts.push(await explainPrepared(store.database, statement))
      return store.database.bytes(statement, signal)
    },
  })
  // Claims that only small objects were seen, so that no page can exceed the byte budget.
  const lastRead = new Map([[type.tables.current, { ...nothingRead, largest: 1_000 }]])
  const page = await readPage(rowSourcesOf(database, { lastRead, elapsed: () => 0 }), plan)
  const sum = (of: (fact: PlanFacts) => number) => facts.reduce((total, fact) => total + of(fact), 0)
  return {
    depth: walk?.served ?? 0,
    rows: page.objects,
    buffers: sum((fact) => fact.buffers),
    milliseconds: sum((fact) => fact.milliseconds),
    statements: facts.length,
    sequentialScans: facts.flatMap((fact) => fact.sequentialScans),
    way: wayOf(plan),
  }
}

function wayOf({ access }: PagePlan): string {
  if (access?.kind !== 'scan') return 'gathers'
  return access.check.kind === 'everything' ? 'range' : 'checks'
}

/**
 * As the service runs it: with the generic plan. An `EXPLAIN` with parameters would show a plan made for these values, which
 * no page gets.
 */
export const explainPrepared = (database: Database, { text, values }: SqlQuery): Promise<PlanFacts> =>
  database.transaction(async (transaction) => {
    await transaction.run(`prepare measured as ${text}`)
    try {
      const explain = async () => {
        const rows = await transaction.rows({
          text: `explain (analyze, buffers, format json) execute measured(${values.map(literal).join(', ')})`,
          values: [],
        })
        return readPlan(JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]'))
      }
      // The first run may still fill caches and set hint bits.
      await explain()
      return await explain()
    } finally {
      await transaction.run('deallocate measured')
    }
  })

function literal(value: SqlValue): string {
  if (value === null) return 'null'
  const text =
    typeof value === 'object'
      ? `{${value.map((one) => (one === null ? 'null' : JSON.stringify(String(one)))).join(',')}}`
      : String(value)
  return `'${text.replaceAll("'", "''")}'`
}
