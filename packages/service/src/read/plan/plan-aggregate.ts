import { limits, type GroupBy } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import {
  refuseRepeated,
  type ParsedAggregate,
  type ParsedMetric,
} from '../request/parse-aggregate-request.ts'
import { aggregateField } from './aggregate-field.ts'
import type { AggregateField, AggregatePlan, Metric } from './aggregate-plan.ts'
import { chooseOrder } from './choose-order.ts'
import type { PageOrder } from './page-plan.ts'
import { planGrouping } from './plan-grouping.ts'
import { planPage, type PlanParts } from './plan-page.ts'

export interface AggregateParts extends Omit<PlanParts, 'request' | 'walk'> {
  readonly wanted: ParsedAggregate
}

export async function planAggregate({ wanted, ...parts }: AggregateParts): Promise<AggregatePlan> {
  const { type } = parts
  const metrics = wanted.metrics.map((metric) => planMetric(type, metric))
  const groupings = wanted.groupBy.map((item) => planGrouping(type, item))
  refuseRepeated(
    groupings.map(({ by }) => by.field),
    (i) => `/groupBy/${i}/field`,
  )
  const ordering = wanted.metrics.findIndex(({ direction }) => direction !== undefined)
  const direction = wanted.metrics[ordering]?.direction
  return {
    objects: await planPage({
      ...parts,
      request: { ...wanted.request, pageSize: limits.aggregate.objects },
      walk: undefined,
      readsAll: true,
    }),
    metrics,
    groupings,
    orderedBy: direction && { metric: ordering, direction },
    mostGroups: smallestOf(wanted.groupBy),
  }
}

function planMetric(type: ObjectType, { name, type: asked, field }: ParsedMetric): Metric {
  if (asked === 'count' || field === undefined) return { name, type: 'count' }
  const of = aggregateField(type, field, asked)
  switch (asked) {
    case 'min':
    case 'max':
      return { name, type: asked, of, order: orderOf(type, of, asked) }
    case 'sum':
    case 'avg':
      return { name, type: asked, of }
    // The exact number is the best approximation, as long as it can be computed.
    case 'exactDistinct':
    case 'approximateDistinct':
      return { name, type: 'distinct', of }
    default:
      return asked satisfies never
  }
}

/** Objects without a value come last in both directions, so the first object of the order has the least or greatest value. */
function orderOf(type: ObjectType, of: AggregateField, end: 'min' | 'max'): PageOrder | undefined {
  const hasIndex = type.indexes.some(
    ({ kind, ready, keys }) =>
      kind === 'order' && ready && keys.length === 1 && keys[0]?.column === of.column,
  )
  // The order of a property is that of its own values: a component of a struct has none.
  if (of.column !== 'pk' && (!hasIndex || of.field.includes(':'))) return undefined
  return chooseOrder(type, [{ property: of.property, direction: end === 'min' ? 'asc' : 'desc' }])
}

function smallestOf(groupBy: readonly GroupBy[]): number | undefined {
  const given = groupBy.flatMap((item) =>
    item.type === 'exact' && item.maxGroupCount != null ? [item.maxGroupCount] : [],
  )
  return given.length === 0 ? undefined : Math.min(...given)
}
