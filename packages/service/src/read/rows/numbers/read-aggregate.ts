// Reads an aggregate: exactly, in one state, and no more objects than the budget allows; or not at all.
import { firstColumn, readColumns } from '@octavo/pg-bytes'
import { limits } from '@octavo/protocol'
import { ServiceError } from '../../../base/errors/service-error.ts'
import { countedColumns } from '../../../catalog/counts.ts'
import { mapInTurns } from '../../../base/map-in-turns.ts'
import type { AggregatePlan } from '../../plan/aggregate-plan.ts'
import {
  aggregateColumns,
  compileAggregateQuery,
  compileCountsQuery,
  type AggregateColumn,
} from '../../sql/compile-aggregate-query.ts'
import { type AggregateRows, groupRow } from './group-row.ts'
import { askClock, type PageClock, clockOf } from '../state/page-clock.ts'
import { rememberClock, proven, stateReader } from '../state/state-reader.ts'
import { refuseExpensive, tooExpensive } from './price-aggregate.ts'
import { isReadByEnds, readEnds } from './read-ends.ts'
import type { RowSources } from '../state/row-sources.ts'

export interface AggregateLimits {
  /** How many objects may be read. */
  readonly budget: number
  readonly signal?: AbortSignal | undefined
}

/** At a version, an object may have several rows, most of which are not alive. */
const rowsOfAnObject = 4

export async function readAggregate(
  sources: RowSources,
  plan: AggregatePlan,
  { budget, signal }: AggregateLimits,
): Promise<AggregateRows> {
  const { objects } = plan
  const clock = await askClock(sources, objects, signal)
  rememberClock(sources, objects, clock)
  if (isReadByEnds(plan)) return readEnds(sources, plan, { clock, signal })
  const counted = await readCounts(sources, plan, { budget, signal })
  if (counted !== undefined) return counted
  await refuseExpensive(sources, objects, { clock, budget })
  const rows = await proven(stateReader(sources, objects, signal), (at) =>
    ask(sources, { ...plan, objects: { ...objects, at } }, { budget, signal }),
  )
  return checked(plan, rows, budget)
}

/** Groups that commits have counted, which cost what there are of them. */
const isReadByCounts = ({ objects: { type, access }, groupings, metrics }: AggregatePlan): boolean =>
  access === undefined &&
  groupings.length === 1 &&
  groupings.every(
    ({ kind, by }) => kind === 'exact' && countedColumns(type).some(({ name }) => name === by.column),
  ) &&
  metrics.every(({ type: use }) => use === 'count')

/** Undefined if they are not kept for the state that is read: then all objects have to be read. */
async function readCounts(
  sources: RowSources,
  plan: AggregatePlan,
  limited: AggregateLimits,
): Promise<AggregateRows | undefined> {
  if (!isReadByCounts(plan)) return undefined
  const { objects } = plan
  const state = stateReader(sources, objects, limited.signal)
  const at = await state.next()
  // Commits count the latest state alone.
  if (at.kind === 'snapshot') return undefined
  const rows = await ask(
    sources,
    { ...plan, objects: { ...objects, at } },
    { ...limited, compile: compileCountsQuery },
  )
  if (rows.about('read') === 0 || !state.proves(rows.clock)) return undefined
  return checked(plan, rows, limited.budget)
}

type Cells = readonly (string | null)[]

interface Answer {
  readonly clock: PageClock
  readonly about: (column: AggregateColumn) => number
  readonly rowsAtMost: number
  readonly groups: readonly { readonly objects: number; readonly cells: Cells }[]
}

async function ask(
  { database }: RowSources,
  plan: AggregatePlan,
  {
    budget,
    signal,
    compile = compileAggregateQuery,
  }: AggregateLimits & { readonly compile?: typeof compileAggregateQuery },
): Promise<Answer> {
  const { type, at } = plan.objects
  const rowsAtMost = budget * (at.kind === 'snapshot' ? rowsOfAnObject : 1) + 1
  const query = compile(plan, {
    rowsAtMost,
    groupsAtMost: plan.mostGroups ?? limits.aggregate.groups + 1,
    bytesAtMost: limits.page.byteBudget,
  })
  const rows: Cells[] = []
  await database
    .holding(type.schema)
    .eachRow(
      query,
      (bytes, from, end) =>
        rows.push(readColumns(bytes, from + firstColumn, end).map((cell) => cell?.toString() ?? null)),
      signal,
    )
  const cell = (row: Cells | undefined, column: AggregateColumn) => row?.[aggregateColumns.indexOf(column)]
  return {
    clock: clockOf(type, cell(rows[0], 'clock')),
    about: (column) => Number(cell(rows[0], column) ?? 0),
    rowsAtMost,
    groups: rows
      .filter((row) => cell(row, 'hit') === 'true')
      .map((row) => ({ objects: Number(cell(row, 'objects')), cells: row.slice(aggregateColumns.length) })),
  }
}

/** Nothing is returned of an aggregate that was not read to its end, or of which not all groups are here. */
async function checked(
  plan: AggregatePlan,
  { clock, about, rowsAtMost, groups }: Answer,
  budget: number,
): Promise<AggregateRows> {
  const { objects, mostGroups } = plan
  if (about('read') >= rowsAtMost || about('alive') > budget) {
    const isRange = objects.access?.kind !== 'scan' || objects.access.check.kind === 'everything'
    const reason = objects.access === undefined ? 'allObjects' : isRange ? 'matches' : 'unindexed'
    throw tooExpensive(objects, { reason }, budget)
  }
  if (mostGroups === undefined && about('groups') > limits.aggregate.groups) {
    const maximum = limits.aggregate.groups
    throw new ServiceError('AggregationGroupCountExceededLimit', { limit: 'groups', maximum })
  }
  if (about('bytes') > limits.page.byteBudget) {
    const maximum = limits.page.byteBudget
    throw new ServiceError('AggregationGroupCountExceededLimit', { limit: 'bytes', maximum })
  }
  const included = groups.reduce((sum, group) => sum + group.objects, 0)
  return {
    version: objects.at.kind === 'snapshot' ? objects.at.version : clock.version,
    groups: await mapInTurns(groups, ({ cells }) => groupRow(plan, cells)),
    excluded: about('grouped') - included,
  }
}
