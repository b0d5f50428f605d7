import { castType } from '../../catalog/column.ts'
import type { TableSide } from '../../catalog/type-tables.ts'
import type { OrderKey, PageOrder, PagePlan } from '../plan/page-plan.ts'
import type { Arm, Condition } from '../plan/split-into-arms.ts'
import type { Parameters } from '../../base/sql-query.ts'

export interface ArmParts {
  readonly parameters: Parameters
  readonly rowsAtMost: number
  /** Conditions on the leading key, in addition to those of the position. */
  readonly range: readonly string[]
  /** The columns to read in addition to the keys of the order. */
  readonly columns: readonly string[]
}

/**
 * One range of an index, in order, at most one stretch of it. At a version it is several ranges, merged: one of current and one of
 * each epoch of history that is read. Rows that are newer than
 * the version or were replaced before it are included, marked as not alive. If either side left them out, PostgreSQL would
 * search there for the next row that is alive, and pass over a whole collection for it, on every page.
 */
export function compileArm(plan: PagePlan, arm: Arm, parts: ArmParts): string {
  const { parameters, rowsAtMost, range } = parts
  const { order } = plan
  const conditions = [...compileConditions(arm, parameters), ...range]
  const scan = (table: string, columns: string, within: readonly string[] = []) => {
    const all = [...within, ...conditions]
    const where = all.length === 0 ? '' : ` where ${all.join(' and ')}`
    return `select ${columns} from ${table}${where} order by ${compileOrder(order, 'sources')}`
  }
  const columns = selected(order, parts.columns)
  if (plan.at.kind !== 'snapshot') {
    return `${scan(plan.type.tables.current, columns)} limit ${rowsAtMost}`
  }
  const alive = aliveAt(parameters.add(plan.at.version, 'bigint'))
  const { current, history } = plan.type.tables
  const sides = [
    scan(current, `${columns}, ${alive.current.join(' and ')} as alive`),
    ...eachEpoch(plan.at, parameters).map((epoch) =>
      scan(history, `${columns}, ${alive.history.join(' and ')} as alive`, epoch),
    ),
  ]
  // A key that the arm holds equal is left out of the order. PostgreSQL knows that it is constant within one side but not across
  // the two, and would sort both sides whole instead of merging them (2.1 times the buffers of a latest page, measured; 1.1
  // without).
  const fixed = new Set(
    arm.conditions.flatMap((condition) => (condition.kind === 'equal' ? [condition.key.column] : [])),
  )
  const merged = { ...order, keys: order.keys.filter((key) => !fixed.has(key.column)) }
  return `select * from (${sides.map((side) => `(${side})`).join(' union all ')}) as sides order by ${compileOrder(merged, 'names')} limit ${rowsAtMost}`
}

type Snapshot = Extract<PagePlan['at'], { readonly kind: 'snapshot' }>

/** The conditions of each range of history: its epoch, or none where history is read whole. */
function eachEpoch({ epochs }: Snapshot, parameters: Parameters): readonly (readonly string[])[] {
  if (epochs === undefined) return [[]]
  const first = parameters.add(epochs.from, 'bigint')
  return Array.from({ length: epochs.count }, (_, i) => [`epoch = ${first} + ${i}`])
}

/** The same for rows that need not come in order. */
function anyEpoch({ epochs }: Snapshot, parameters: Parameters): readonly string[] {
  if (epochs === undefined) return []
  const numbers = Array.from({ length: epochs.count }, (_, i) => String(Number(epochs.from) + i))
  return [`epoch = any(${parameters.add(numbers, 'bigint[]')})`]
}

/** Whether each row says if it is alive at the version of the page. The rows that a filter gathers are always alive. */
export const withDead = ({ at, access }: PagePlan): boolean =>
  at.kind === 'snapshot' && access?.kind !== 'gather'

/** The latest state is in current alone; a version needs history too, of some epochs. */
export function compileSides(
  { type, at }: Pick<PagePlan, 'type' | 'at'>,
  parameters: Parameters,
  scan: (table: string, alive: readonly string[], epochs: readonly string[]) => string,
): string {
  if (at.kind !== 'snapshot') return scan(type.tables.current, [], [])
  const alive = aliveAt(parameters.add(at.version, 'bigint'))
  const current = scan(type.tables.current, alive.current, [])
  const history = scan(type.tables.history, alive.history, anyEpoch(at, parameters))
  return `(${current}) union all (${history})`
}

/** Replaced and deleted rows move to history, so every row in current is still alive. */
const aliveAt = (version: string): Readonly<Record<TableSide, readonly string[]>> => ({
  current: [`version_from <= ${version}`],
  history: [`version_from <= ${version}`, `version_to > ${version}`],
})

/** Only the columns that are used: where two sides are merged, an unused column costs PostgreSQL a step for every row. */
export function rowColumns({ keys }: PageOrder, columns: readonly string[]) {
  const named = keys.map((key) => ({ name: key.column, source: sourceOf(key) }))
  const others = [...new Set(columns)].filter((name) => !named.some((key) => key.name === name))
  return [...named, ...others.map((name) => ({ name, source: name }))]
}

export const selected = (order: PageOrder, columns: readonly string[]): string =>
  rowColumns(order, columns)
    .map(({ name, source }) => (source === name ? name : `${source} as ${name}`))
    .join(', ')

export const compileConditions = (arm: Arm, parameters: Parameters): readonly string[] =>
  arm.conditions.map((condition) => compileCondition(condition, parameters))

const sourceOf = (key: OrderKey): string => key.source ?? key.column

function compileCondition(condition: Condition, parameters: Parameters): string {
  switch (condition.kind) {
    case 'equal':
      return `${sourceOf(condition.key)} = ${parameters.add(condition.value, castType(condition.key.scalar))}`
    case 'null':
      return `${sourceOf(condition.key)} is null`
    case 'not-null':
      return `${sourceOf(condition.key)} is not null`
    case 'beyond': {
      const columns = condition.keys.map(sourceOf)
      const values = condition.keys.map((key, i) =>
        parameters.add(condition.values[i] ?? null, castType(key.scalar)),
      )
      const operator = condition.keys[0]?.direction === 'asc' ? '>' : '<'
      return `(${columns.join(', ')}) ${operator} (${values.join(', ')})`
    }
    default:
      return condition satisfies never
  }
}

/**
 * Written exactly as the index has it, or exactly reversed: only then does PostgreSQL read the order from the index. In a table
 * a key is its source expression; in a subquery's result it has its name.
 */
export const compileOrder = ({ keys, scan }: PageOrder, by: 'sources' | 'names'): string =>
  keys
    .map((key) => {
      const text = by === 'sources' ? sourceOf(key) : key.column
      return `${text} ${key.direction} nulls ${scan === 'forward' ? 'last' : 'first'}`
    })
    .join(', ')

/**
 * Whether the next stretch may start behind this row. At a version an object may have several rows in a stretch, and the last of
 * them may be the one that is alive. Until that row or another object's row has been read, none of its rows is an end. Rows
 * after the last end are all of one object, and none of them is alive.
 */
export const compileEnd = (plan: PagePlan, key: string): string =>
  withDead(plan) ? `(alive or ${key} <> lead(${key}) over stretch) is true` : 'true'

/** The value of the column at the last end, in a query over the rows of a stretch; null if there is no end. */
export const atLastEnd = (column: string): string =>
  `(array_agg(${column}) filter (where is_end))[count(*) filter (where is_end)]`
