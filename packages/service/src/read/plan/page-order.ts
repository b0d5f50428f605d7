import type { OrderDirection, ScalarType } from '@octavo/protocol'

/** The keys of an order. The last one is the primary key, so no two objects are equal. */
export interface PageOrder {
  readonly keys: readonly OrderKey[]
  /** 'backward' reads the index from its end. The index keeps nulls last, so they would then come first. */
  readonly scan: 'forward' | 'backward'
}

export interface OrderKey {
  readonly column: string
  /** The expression that the index holds, where it is not the column itself. */
  readonly source?: string
  readonly scalar: ScalarType
  readonly direction: OrderDirection
  readonly nullable: boolean
}
