import type { GroupValue, ScalarValue } from '@octavo/protocol'

/** What an aggregate tells about one state. */
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
