import type { PropertyType } from '@octavo/protocol'

/** What the model needs of an object type: as it is declared, or as it is served. */
export interface ModelType {
  readonly primaryKey: string
  readonly properties: Readonly<
    Record<string, { readonly type: PropertyType; readonly searchable?: boolean | undefined }>
  >
}

/** The properties of an object, without those that have no value. */
export type Properties = Readonly<Record<string, unknown>>
