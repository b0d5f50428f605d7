// Numbers about the objects of a type: requests for them, and the answers.
import type { AfterPosition } from './after-position.ts'
import type { ObjectTypeShape, ScalarValue } from './query/object-type-shape.ts'
import type { ReadOptions } from './walk-options.ts'

/** The fields that can be aggregated: what a query may name or a walk may be ordered by. */
export type AggregateField<Type extends ObjectTypeShape> =
  Extract<keyof Type['fields'], string> | Type['sortable'] | Type['primaryKey']

interface NamedMetric {
  /** The name in the answer: `count`, or `<field>.<type>`, unless it is given. */
  readonly name?: string
  /** Orders the groups by this metric; at most one may have it. */
  readonly direction?: 'ASC' | 'DESC' | 'asc' | 'desc'
}

export type Aggregation<Field extends string = string> = NamedMetric &
  (
    | { readonly type: 'count' }
    | {
        readonly type: 'min' | 'max' | 'sum' | 'avg' | 'exactDistinct' | 'approximateDistinct'
        readonly field: Field
      }
  )

/** From the start to before the end; without one, there is none. */
export interface ValueRange {
  readonly startValue?: ScalarValue
  readonly endValue?: ScalarValue
}

export type GroupBy<Field extends string = string> =
  | {
      readonly type: 'exact'
      readonly field: Field
      /** The first groups only; `excludedItems` of the answer says how many objects the others hold. */
      readonly maxGroupCount?: number
      /** Objects without a value are a group, whose value is null. */
      readonly includeNullValues?: boolean
    }
  | { readonly type: 'ranges'; readonly field: Field; readonly ranges: readonly ValueRange[] }
  | { readonly type: 'fixedWidth'; readonly field: Field; readonly fixedWidth: number }
  | {
      readonly type: 'duration'
      readonly field: Field
      readonly value: number
      readonly unit: 'SECONDS' | 'MINUTES' | 'HOURS' | 'DAYS' | 'WEEKS' | 'MONTHS' | 'YEARS'
    }

export interface AggregateOptions<Field extends string, Group extends Field> extends ReadOptions {
  readonly aggregation: readonly Aggregation<Field>[]
  readonly groupBy?: readonly GroupBy<Group>[]
  /** Names the state; otherwise it is the latest. */
  readonly snapshotToken?: string
  /** Read a state that contains this position of a source. */
  readonly after?: AfterPosition
}

/** Always exact: an aggregate that would read too much is refused with `AggregateTooExpensive`. */
export interface Aggregate<Group extends string = string> {
  /** Without `groupBy`, exactly one. */
  readonly data: readonly {
    readonly group: Readonly<Record<Group, ScalarValue | ValueRange | null>>
    readonly metrics: readonly {
      readonly name: string
      /** Absent for `min`, `max` and `avg` of no values. */
      readonly value?: ScalarValue
    }[]
  }[]
  /** How many objects are in groups that `maxGroupCount` left out. */
  readonly excludedItems?: number
  readonly version: string
}
