import type { OrderDirection, ScalarType, ScalarValue } from '@octavo/protocol'
import type { PageOrder, PagePlan } from './page-plan.ts'

/** Everything that decides what an aggregate returns, before it is compiled to SQL. */
export interface AggregatePlan {
  /** Which objects: a page without an end. */
  readonly objects: PagePlan
  readonly metrics: readonly Metric[]
  readonly groupings: readonly Grouping[]
  /** The metric that orders the groups; otherwise they come in the order of their values. */
  readonly orderedBy: { readonly metric: number; readonly direction: OrderDirection } | undefined
  /** The groups that are wanted; all of them when undefined. */
  readonly mostGroups: number | undefined
}

/** A property, or a component of a struct, that has a column with one value for each object. */
export interface AggregateField {
  /** As the request names it. */
  readonly field: string
  readonly property: string
  readonly column: string
  readonly scalar: ScalarType
}

export type Metric =
  | { readonly name: string; readonly type: 'count' }
  | {
      readonly name: string
      readonly type: 'min' | 'max'
      readonly of: AggregateField
      /** The order whose first object has the value, where an index has it. */
      readonly order: PageOrder | undefined
    }
  | { readonly name: string; readonly type: 'sum' | 'avg'; readonly of: AggregateField }
  | { readonly name: string; readonly type: 'distinct'; readonly of: AggregateField }

export type Grouping =
  | { readonly kind: 'exact'; readonly by: AggregateField; readonly withNulls: boolean }
  /** In the order of their values. */
  | { readonly kind: 'ranges'; readonly by: AggregateField; readonly ranges: readonly ValueRange[] }
  | { readonly kind: 'width'; readonly by: AggregateField; readonly width: string }
  /** An interval of a fixed length, as PostgreSQL reads it, or a number of months. */
  | {
      readonly kind: 'duration'
      readonly by: AggregateField
      readonly length: { readonly interval: string } | { readonly months: number }
    }

/** From the start to before the end, as texts of the column, and as they are sent. */
export interface ValueRange {
  readonly start: string | undefined
  readonly end: string | undefined
  readonly shown: { readonly startValue?: ScalarValue; readonly endValue?: ScalarValue }
}
