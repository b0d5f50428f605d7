// By what the objects of an aggregate are grouped: each item of groupBy becomes a grouping that makes sense for its property.
import type { DurationUnit, GroupBy, ScalarValue } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { canonicalScalar } from '../../base/value/canonical-scalar.ts'
import { shortestValue } from '../../base/value/shortest-value.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { aggregateField } from './aggregate-field.ts'
import type { AggregateField, Grouping, ValueRange } from './aggregate-plan.ts'
import { compareValues } from './compare-values.ts'

export function planGrouping(type: ObjectType, item: GroupBy): Grouping {
  const by = aggregateField(type, item.field, item.type)
  switch (item.type) {
    case 'exact':
      return { kind: 'exact', by, withNulls: item.includeNullValues ?? false }
    case 'ranges':
      return { kind: 'ranges', by, ranges: orderedRanges(by, item.ranges) }
    case 'fixedWidth':
      return { kind: 'width', by, width: widthOf(by, item.fixedWidth) }
    case 'duration':
      return { kind: 'duration', by, length: lengthOf(by, item.value, item.unit) }
    default:
      return item satisfies never
  }
}

const invalid = ({ property }: AggregateField, problem: string) =>
  new ServiceError('InvalidAggregationRange', { property, problem })

type RequestedRange = Extract<GroupBy, { type: 'ranges' }>['ranges'][number]

/** In the order of their values, and none of them overlaps the next. */
function orderedRanges(by: AggregateField, requested: readonly RequestedRange[]): readonly ValueRange[] {
  const value = (one: ScalarValue | null | undefined) => {
    if (one == null) return undefined
    const canonical = canonicalScalar(by.scalar, one)
    if ('problem' in canonical) throw invalid(by, `${JSON.stringify(one)} ${canonical.problem}`)
    return {
      text: canonical.column,
      shown: shortestValue(by.scalar, JSON.parse(canonical.json) as ScalarValue),
    }
  }
  const ranges = requested.map(({ startValue, endValue }) => {
    const [start, end] = [value(startValue), value(endValue)]
    if (start !== undefined && end !== undefined && compareValues(by.scalar, start.text, end.text) >= 0) {
      throw invalid(by, `the range that begins with ${start.text} ends before it has begun`)
    }
    return {
      start: start?.text,
      end: end?.text,
      shown: { ...(start && { startValue: start.shown }), ...(end && { endValue: end.shown }) },
    }
  })
  const ordered = ranges.toSorted((a, b) =>
    a.start === undefined || b.start === undefined
      ? Number(a.start !== undefined) - Number(b.start !== undefined)
      : compareValues(by.scalar, a.start, b.start),
  )
  for (const [i, { start }] of ordered.entries()) {
    const before = ordered[i - 1]
    if (before === undefined) continue
    if (start === undefined || before.end === undefined || compareValues(by.scalar, before.end, start) > 0) {
      throw invalid(by, 'its ranges overlap, so that an object could be in two of them')
    }
  }
  return ordered
}

function widthOf(by: AggregateField, width: number): string {
  if (!Number.isFinite(width) || width <= 0) throw invalid(by, 'fixedWidth must be greater than 0')
  const isWhole = by.scalar === 'integer' || by.scalar === 'long'
  if (isWhole && !Number.isSafeInteger(width)) {
    throw invalid(by, `fixedWidth must be a whole number, because the type of the property is ${by.scalar}`)
  }
  return String(width)
}

const months: Partial<Record<DurationUnit, number>> = { MONTHS: 1, YEARS: 12 }
const lessThanADay: ReadonlySet<DurationUnit> = new Set(['SECONDS', 'MINUTES', 'HOURS'])

function lengthOf(by: AggregateField, value: number, unit: DurationUnit) {
  if (by.scalar === 'date' && lessThanADay.has(unit)) {
    throw invalid(by, 'a date has no time of day: the unit must be DAYS, WEEKS, MONTHS or YEARS')
  }
  const ofUnit = months[unit]
  return ofUnit === undefined ? { interval: `${value} ${unit.toLowerCase()}` } : { months: value * ofUnit }
}
