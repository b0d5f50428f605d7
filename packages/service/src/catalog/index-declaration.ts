import type { OrderDirection } from '@octavo/protocol'

/** An index on both tables of a type. Every index ends with the primary key, so that a page is one range of it. */
export interface IndexDeclaration {
  /** A number from the catalog, part of the index's name. */
  readonly number: number
  /** `order` keeps whole values; `start` keeps the first characters of strings that may be of any length. */
  readonly kind: 'order' | 'start'
  readonly keys: readonly IndexKey[]
  /** False until it is built on both tables; an index that is not ready is not used. */
  readonly ready: boolean
}

export interface IndexKey {
  readonly column: string
  readonly direction: OrderDirection
}

/** How much of a string a `start` index keeps: enough to be selective, far below the limit of an index entry. */
export const startCharacters = 250

export const sameKeys = (a: readonly IndexKey[], b: readonly IndexKey[]): boolean =>
  a.length === b.length &&
  a.every((key, i) => key.column === b[i]?.column && key.direction === b[i].direction)
