// A grouping as an expression over one row: the value, the start or the number of the group that the row belongs to, or null.
import { castType } from '../../catalog/column.ts'
import type { Parameters } from '../../base/sql-query.ts'
import type { AggregateField, Grouping, Metric } from '../plan/aggregate-plan.ts'

/**
 * Monday, and the first day that a date can be. So weeks begin on Mondays, and no time is before the first interval: date_bin of
 * some releases is wrong there.
 */
const firstDay = '0001-01-01'

export function compileGrouping(grouping: Grouping, parameters: Parameters): string {
  const { by } = grouping
  switch (grouping.kind) {
    case 'exact':
      return by.column
    case 'ranges': {
      const parameter = (text: string) => parameters.add(text, castType(by.scalar))
      const cases = grouping.ranges.map(({ start, end }, i) => {
        const conditions = [
          ...(start === undefined ? [] : [`${by.column} >= ${parameter(start)}`]),
          ...(end === undefined ? [] : [`${by.column} < ${parameter(end)}`]),
        ]
        return `when ${conditions.length === 0 ? `${by.column} is not null` : conditions.join(' and ')} then ${i}`
      })
      return `case ${cases.join(' ')} end`
    }
    case 'width': {
      const [value, width] = [exactNumber(by), parameters.add(grouping.width, 'numeric')]
      // The remainder of a negative number is negative. Nothing here is rounded, as a quotient would be.
      return `${value} - mod(mod(${value}, ${width}) + ${width}, ${width})`
    }
    case 'duration':
      return by.scalar === 'date'
        ? `(${startOfDuration(`${by.column}::timestamp`, grouping.length, parameters)})::date`
        : startOfDuration(by.column, grouping.length, parameters)
    default:
      return grouping satisfies never
  }
}

/** The number as it is written in pages: a cast from double to numeric would keep 15 digits only. */
const exactNumber = ({ column, scalar }: AggregateField): string =>
  scalar === 'double' ? `${column}::text::numeric` : `${column}::numeric`

type Length = Extract<Grouping, { readonly kind: 'duration' }>['length']

function startOfDuration(time: string, length: Length, parameters: Parameters): string {
  if ('interval' in length) {
    return `date_bin(${parameters.add(length.interval, 'interval')}, ${time}, ${parameters.add(firstDay, 'timestamp')})`
  }
  const months = `(extract(year from ${time})::integer * 12 + extract(month from ${time})::integer - 1)`
  // Counted from the year 0, so that decades begin with years that end in 0; the first one lacks that year, which no date has.
  const counted = `(${months} - ${months} % ${parameters.add(length.months, 'integer')})`
  const start = `case when ${counted} < 12 then 12 else ${counted} end`
  return `make_timestamp((${start}) / 12, (${start}) % 12 + 1, 1, 0, 0, 0)`
}

export interface MetricText {
  /** The value, in a form that PostgreSQL can order by. */
  readonly value: string
  /** How many values there are: only for an average, which is the quotient of the two. */
  readonly values?: string
}

const counted = 'filter (where hit)'

export function compileMetric(metric: Metric): MetricText {
  switch (metric.type) {
    case 'count':
      return { value: `count(*) ${counted}` }
    case 'min':
    case 'max':
      return { value: `${metric.type}(${metric.of.column}) ${counted}` }
    case 'distinct':
      return { value: `count(distinct ${metric.of.column}) ${counted}` }
    case 'sum':
      return { value: `coalesce(${sumOf(metric)}, 0)` }
    case 'avg':
      return { value: sumOf(metric), values: `count(${metric.of.column}) ${counted}` }
    default:
      return metric satisfies never
  }
}

/** A sum of doubles would depend on the order of the rows; a sum of exact numbers does not. */
const sumOf = ({ of }: Extract<Metric, { readonly type: 'sum' | 'avg' }>): string =>
  `sum(${of.scalar === 'double' ? exactNumber(of) : of.column}) ${counted}`

/**
 * Orders averages exactly: two of them that differ do so within this many decimals, as a double has 324 of them and a decimal 38,
 * and both are divided by less than 10^9.
 */
export const quotient = (sum: string, values: string, parameters: Parameters): string =>
  `div(${sum} * ${parameters.add('1e400', 'numeric')}, nullif(${values}, 0))`
