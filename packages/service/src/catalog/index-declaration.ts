import type { OrderDirection } from '@octavo/protocol'

/** An index on both tables of a type. The first two kinds end with the primary key, so that a page is one range of the index. */
export interface IndexDeclaration {
  /** A number from the catalog, part of the index's name. */
  readonly number: number
  /**
   * `order` keeps whole values; `start` keeps the first characters of strings of any length; `members` keeps the values of an
   * array; `terms` keeps the terms of strings.
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

/** The expression that a `start` index holds for a column. */
export const startOf = (column: string): string => `left(${column}, ${startCharacters})`

/** The expression that a `terms` index holds for a column. The empty term that separates two values is left out. */
export const termsVector = (column: string): string => `array_to_tsvector(array_remove(${column}, ''))`

/** The start of a value, counted in characters as PostgreSQL counts them. */
export const startOfText = (text: string): string => Array.from(text).slice(0, startCharacters).join('')
