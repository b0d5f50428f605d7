// The texts of a row of an aggregate as values of the wire.
import { type GroupValue, type ScalarValue, baseTypeName } from '@octavo/protocol'
import { ServiceError } from '../../../base/errors/service-error.ts'
import { invariant } from '../../../base/errors/invariant.ts'
import { nearestQuotient } from '../../../base/value/nearest-number.ts'
import { valueOfColumn } from '../../../base/value/shortest-value.ts'
import type { AggregatePlan, Grouping, Metric } from '../../plan/aggregate-plan.ts'

/** An aggregate of one state. */
export interface AggregateRows {
  readonly version: string
  readonly groups: readonly GroupRow[]
  /** How many objects are in groups that were left out because fewer groups are wanted. */
  readonly excluded: number
}

export interface GroupRow {
  /** One for each grouping. */
  readonly values: readonly GroupValue[]
  /** One for each metric; undefined if it has no value. */
  readonly metrics: readonly (ScalarValue | undefined)[]
}

export const groupRow = (
  { groupings, metrics }: Pick<AggregatePlan, 'groupings' | 'metrics'>,
  cells: readonly (string | null)[],
): GroupRow => ({
  values: groupings.map((grouping, i) => groupValue(grouping, cells[i] ?? null)),
  metrics: metrics.map((metric, i) => metricValue(metric, cells[groupings.length + i] ?? null)),
})

function groupValue(grouping: Grouping, cell: string | null): GroupValue {
  if (cell === null) return null
  if (grouping.kind !== 'ranges') return valueOfColumn(grouping.by.scalar, cell)
  const range = grouping.ranges[Number(cell)]
  invariant(range !== undefined, 'group-of-no-range')
  return range.shown
}

function metricValue(metric: Metric, cell: string | null): ScalarValue | undefined {
  if (cell === null) return undefined
  switch (metric.type) {
    case 'count':
    case 'distinct':
      return Number(cell)
    case 'min':
    case 'max':
      return valueOfColumn(metric.of.scalar, cell)
    case 'sum':
      return finite(metric, valueOfColumn(metric.of.scalar, cell))
    case 'avg': {
      const [sum = '', values = ''] = cell.split(' ')
      return finite(metric, nearestQuotient(sum, BigInt(values)) + 0)
    }
    default:
      return metric satisfies never
  }
}

/** Only a sum of doubles can be too large: more than 10^308, which JSON has no number for. */
function finite(metric: Extract<Metric, { readonly type: 'sum' | 'avg' }>, value: ScalarValue): ScalarValue {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new ServiceError('AggregationMetricNotSupported', {
    type: metric.type,
    property: metric.of.property,
    propertyBaseType: baseTypeName(metric.of.scalar),
    reason: 'tooLarge',
    supported: ['min', 'max', 'exactDistinct'],
  })
}
