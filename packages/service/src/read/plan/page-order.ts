import type { OrderDirection, ScalarType } from '@octavo/protocol'

/** Keys of which the last is the primary key, so that no two objects are equal in it. */
export interface PageOrder {
  readonly keys: readonly OrderKey[]
  /** Whether the index is read from its end; then nulls, which it keeps last, would come first. */
  readonly scan: 'forward' | 'backward'
}

export interface OrderKey {
  readonly column: string
  /** What the index holds, where that is not the column itself. */
  readonly source?: string
  readonly scalar: ScalarType
  readonly direction: OrderDirection
  readonly nullable: boolean
}
