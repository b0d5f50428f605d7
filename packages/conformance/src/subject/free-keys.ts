import type { ScalarValue } from '@octavo/protocol'

/** Primary keys that the kit may write, because it has seen that no object has them. */
export interface FreeKeys {
  /** Every object that is not the kit's has this key or one before it. */
  readonly greatest: ScalarValue
  /** Ascending. */
  readonly keys: readonly ScalarValue[]
}
