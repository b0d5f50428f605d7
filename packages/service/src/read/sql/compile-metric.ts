// A metric as expressions over the rows of a group. `hit` tells the rows that count.
import type { Parameters } from '../../base/sql-query.ts'
import type { Metric } from '../plan/aggregate-plan.ts'
import { exactNumber } from './compile-grouping.ts'

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
