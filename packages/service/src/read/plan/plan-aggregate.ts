import { limits, type GroupBy } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import {
  refuseRepeated,
  type ParsedAggregate,
  type ParsedMetric,
} from '../request/parse-aggregate-request.ts'
import type { PageRequest } from '../request/page-request.ts'
import { aggregateField } from './aggregate-field.ts'
import type { AggregateField, AggregatePlan, Metric } from './aggregate-plan.ts'
import { chooseOrder } from './choose-order.ts'
import type { PageOrder, PagePlan } from './page-plan.ts'
import { planGrouping } from './plan-grouping.ts'

/** The objects are planned as a page without an end, once the metrics and the groups make sense. */
export async function planAggregate(
  type: ObjectType,
  parsed: ParsedAggregate,
  planObjects: (request: PageRequest) => Promise<PagePlan>,
): Promise<AggregatePlan> {
  const metrics = parsed.metrics.map((metric) => planMetric(type, metric))
  const groupings = parsed.groupBy.map((item) => planGrouping(type, item))
  refuseRepeated(
    groupings.map(({ by }) => by.field),
    (i) => `/groupBy/${i}/field`,
  )
  const ordering = parsed.metrics.findIndex(({ direction }) => direction !== undefined)
  const direction = parsed.metrics[ordering]?.direction
  return {
    objects: await planObjects({ ...parsed.request, pageSize: limits.aggregate.objects }),
    metrics,
    groupings,
    orderedBy: direction && { metric: ordering, direction },
    mostGroups: smallestOf(parsed.groupBy),
  }
}

function planMetric(type: ObjectType, { name, type: use, field }: ParsedMetric): Metric {
  if (use === 'count' || field === undefined) return { name, type: 'count' }
  const of = aggregateField(type, field, use)
  switch (use) {
    case 'min':
    case 'max':
      return { name, type: use, of, order: orderOf(type, of, use) }
    case 'sum':
    case 'avg':
      return { name, type: use, of }
    // The exact number is the best approximation, as long as it can be computed.
    case 'exactDistinct':
    case 'approximateDistinct':
      return { name, type: 'distinct', of }
    default:
      return use satisfies never
  }
}

/** Objects without a value come last in both directions, so the first object of the order has the least or greatest value. */
function orderOf(type: ObjectType, of: AggregateField, end: 'min' | 'max'): PageOrder | undefined {
  const hasIndex = type.indexes.some(
    ({ kind, ready, keys }) =>
      kind === 'order' && ready && keys.length === 1 && keys[0]?.column === of.column,
  )
  // A property is ordered by its whole values: a component of a struct has no order.
  if (of.column !== 'pk' && (!hasIndex || of.field.includes(':'))) return undefined
  return chooseOrder(type, [{ property: of.property, direction: end === 'min' ? 'asc' : 'desc' }])
}

function smallestOf(groupBy: readonly GroupBy[]): number | undefined {
  const maxima = groupBy.flatMap((item) =>
    item.type === 'exact' && item.maxGroupCount != null ? [item.maxGroupCount] : [],
  )
  return maxima.length === 0 ? undefined : Math.min(...maxima)
}
