// The cheap aggregates, which cost the same for any number of objects: how many there are is on the clock, and the least and the
// greatest value of a property that has an order are at the ends of its index.
import type { ScalarValue } from '@octavo/protocol'
import { shortestValue } from '../../../base/value/shortest-value.ts'
import type { AggregatePlan, Metric } from '../../plan/aggregate-plan.ts'
import type { PagePlan } from '../../plan/page-plan.ts'
import { capturedBy } from '../../token/walk.ts'
import type { AggregateRows } from './group-row.ts'
import type { PageClock } from '../state/page-clock.ts'
import { parsedRecords } from '../page/page-rows.ts'
import { readPageAnywhere } from '../page/read-page-anywhere.ts'
import type { RowSources } from '../state/row-sources.ts'

type End = Extract<Metric, { readonly type: 'min' | 'max' }>

export const isReadByEnds = ({ objects, groupings, metrics }: AggregatePlan): boolean =>
  objects.access === undefined &&
  groupings.length === 0 &&
  metrics.every((metric) => metric.type === 'count' || ('order' in metric && metric.order !== undefined))

export async function readEnds(
  sources: RowSources,
  { objects, metrics }: AggregatePlan,
  { clock, signal }: { readonly clock: PageClock; readonly signal: AbortSignal | undefined },
): Promise<AggregateRows> {
  const live = Number(clock.snapshotLive ?? clock.live)
  // Of the latest state, the clock says the version; every end is read at it.
  const at = objects.at.kind === 'snapshot' ? objects.at : capturedBy(clock)
  const values: (ScalarValue | undefined)[] = []
  for (const metric of metrics) {
    values.push('order' in metric ? await readEnd(sources, { ...objects, at }, metric, signal) : live)
  }
  return { version: at.version, groups: [{ values: [], metrics: values }], excluded: 0 }
}

/** The value of the first object in the order of the property. Objects without a value are the last ones. */
async function readEnd(
  sources: RowSources,
  objects: PagePlan,
  { order, of }: End,
  signal: AbortSignal | undefined,
): Promise<ScalarValue | undefined> {
  const plan = { ...objects, order: order ?? objects.order, record: '2.0', pageSize: 1 } as const
  const page = await readPageAnywhere(sources, plan, { signal })
  const [record] = parsedRecords(page)
  page.giveBack?.()
  const value = record?.properties[of.property]
  return value === undefined || typeof value === 'object' ? undefined : shortestValue(of.scalar, value)
}
