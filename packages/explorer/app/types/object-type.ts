// An object type as revision 2.0 describes it.
import type { OrderKey } from '@octavo/client'

export type Scalar = 'string' | 'boolean' | 'integer' | 'long' | 'double' | 'decimal' | 'date' | 'timestamp'

export type PropertyType =
  | Scalar
  | { readonly array: PropertyType }
  | { readonly struct: Readonly<Record<string, { readonly type: Scalar }>> }

export interface Property {
  readonly type: PropertyType
  readonly description?: string
  readonly displayName?: string
  readonly searchable: boolean
  readonly sortable: boolean
}

export interface LinkType {
  readonly objectType: string
  readonly cardinality: 'ONE' | 'MANY'
  /** The property of this type that holds the keys; absent if the other type holds them. */
  readonly foreignKeyProperty?: string
  readonly reverse: string
}

export interface ObjectType {
  readonly apiName: string
  readonly displayName: string
  readonly description?: string
  readonly primaryKey: string
  readonly titleProperty?: string
  readonly properties: Readonly<Record<string, Property>>
  readonly links: Readonly<Record<string, LinkType>>
  readonly orders: readonly { readonly fields: readonly OrderKey[] }[]
}

/** In the words of a definition, short enough for a column header. */
export function typeText(type: PropertyType): string {
  if (typeof type === 'string') return type
  return 'array' in type ? `${typeText(type.array)}[]` : 'struct'
}

const numbers: ReadonlySet<unknown> = new Set(['integer', 'long', 'double', 'decimal'])

export const isNumeric = ({ type }: Property): boolean => numbers.has(type)
