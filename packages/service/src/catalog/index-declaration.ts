import type { OrderDirection } from '@octavo/protocol'

/** An index on both tables of a type. The first two kinds end with the primary key, so that a page is one range of it. */
export interface IndexDeclaration {
  /** A number from the catalog, part of the index's name. */
  readonly number: number
  /**
   * `order` keeps whole values; `start` keeps the first characters of strings that may be of any length; `members` the
   * values of an array; `terms` the terms of strings.
   */
  readonly kind: 'order' | 'start' | 'members' | 'terms'
  readonly keys: readonly IndexKey[]
  /** False until it is built on both tables; an index that is not ready is not used. */
  readonly ready: boolean
}

export interface IndexKey {
  readonly column: string
  readonly direction: OrderDirection
}

/** How much of a string a `start` index keeps: enough to be selective, far below the limit of an index entry. */
const startCharacters = 250

export const sameKeys = (a: readonly IndexKey[], b: readonly IndexKey[]): boolean =>
  a.length === b.length &&
  a.every((key, i) => key.column === b[i]?.column && key.direction === b[i].direction)

/** What a `start` index holds of a column. */
export const startOf = (column: string): string => `left(${column}, ${startCharacters})`

/** What a `terms` index holds of a column. Between the terms of two values stands an empty one, which is none. */
export const termsVector = (column: string): string => `array_to_tsvector(array_remove(${column}, ''))`

/** The same of a value, in characters as PostgreSQL counts them. */
export const startOfText = (text: string): string => Array.from(text).slice(0, startCharacters).join('')
