// An object type as a copy has it: its table has a column for each property, and one for the hash of the object.
import { createHash } from 'node:crypto'
import type { PropertyType } from '@octavo/protocol'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { TypeFacts } from '../reading/type-facts.ts'

/** Kept with the copy, as JSON. */
const copiedTypeSchema = Type.Object({
  apiName: Type.String(),
  primaryKey: Type.String(),
  properties: Type.Record(Type.String(), Type.Unsafe<PropertyType>({})),
})
export type CopiedType = Readonly<Static<typeof copiedTypeSchema>>

export const copiedType = ({ apiName, primaryKey, properties }: TypeFacts): CopiedType => ({
  apiName,
  primaryKey,
  properties: Object.fromEntries(properties),
})

export function readCopiedType(text: string): CopiedType {
  const value: unknown = JSON.parse(text)
  if (Value.Check(copiedTypeSchema, value)) return value
  throw new TypeError(`not the definition of a copied type: ${text}`)
}

/** What the service has added since. Undefined if this is another type: the service never changes or removes what there is. */
export function addedProperties(
  before: CopiedType,
  now: CopiedType,
): readonly (readonly [string, PropertyType])[] | undefined {
  const isKept = Object.entries(before.properties).every(
    ([name, type]) => JSON.stringify(now.properties[name]) === JSON.stringify(type),
  )
  if (!isKept || before.primaryKey !== now.primaryKey) return undefined
  return Object.entries(now.properties).filter(([name]) => !Object.hasOwn(before.properties, name))
}

/** Where the objects of a type are: what users read, or what is being loaded beside it. */
export type TableRole = 'live' | 'staging'

export interface CopyTable {
  readonly role: TableRole
  readonly type: CopiedType
}

/** No property has this name: names begin with a letter. */
export const hashColumn = '_octavo_hash'

export const tableName = ({ role, type }: CopyTable): string =>
  fittingName(role === 'live' ? type.apiName : `octavo_loading_${type.apiName}`)

/** PostgreSQL cuts off what is longer. */
const longestName = 63
const hashLetters = 8

/** A name that is too long for PostgreSQL ends in a hash of the whole, in both kinds of database. API names are ASCII. */
export function fittingName(name: string): string {
  if (name.length <= longestName) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLetters)
  return `${name.slice(0, longestName - hashLetters - 1)}_${hash}`
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The columns of the properties, with their types. */
export const copiedColumns = ({ properties }: CopiedType): readonly CopyColumn[] =>
  Object.entries(properties).map(([property, type]) => ({ property, type, column: fittingName(property) }))

export interface CopyColumn {
  readonly property: string
  readonly type: PropertyType
  readonly column: string
}
