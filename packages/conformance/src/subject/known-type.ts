// What the server says of the object type, and what the kit finds that it allows.
import { scalarTypes, type LinkType, type ScalarType } from '@octavo/protocol'
import type { OrderKey } from './page-request.ts'

export interface KnownProperty {
  readonly name: string
  /** Undefined for arrays, structs and types that the protocol does not define. */
  readonly scalar: ScalarType | undefined
  readonly sortable: boolean
  readonly searchable: boolean
}

export interface NamedLink extends LinkType {
  readonly apiName: string
}

export interface KnownType {
  readonly key: KnownProperty & { readonly scalar: ScalarType }
  readonly properties: readonly KnownProperty[]
  /** Composite orders; only revision 2.0 reports them. */
  readonly orders: readonly (readonly OrderKey[])[]
  /** Links in both directions; only revision 2.0 reports them. */
  readonly links: readonly NamedLink[]
}

/** `Long` of revision 1.0 and `long` of 2.0 are the same type. */
export const scalarTypeOf = (text: unknown): ScalarType | undefined =>
  scalarTypes.find((type) => typeof text === 'string' && type === text.toLowerCase())

export const otherScalars = ({ properties, key }: KnownType): readonly KnownProperty[] =>
  properties.filter((property) => property.scalar !== undefined && property.name !== key.name)
