// An object as a row, and a row as the object that it was made from: exactly, so that its hash can be computed from it.
import { hashOfObject } from '@octavo/client'
import type { PropertyType, ScalarType } from '@octavo/protocol'
import { CopyProblem } from './copy-problem.ts'
import { copiedColumns, type CopiedType } from './copied-type.ts'

export interface CopiedObject {
  readonly primaryKey: string
  readonly properties: Readonly<Record<string, unknown>>
}

export interface CopiedRow extends CopiedObject {
  /** As a signed number of 64 bits. */
  readonly hash: bigint
}

/** What a database answers: PostgreSQL with texts, SQLite with values. */
export type StoredValue = string | number | bigint | null
export type StoredRow = Readonly<Record<string, StoredValue>>

/** The property as it was received; undefined if it has no value. */
function receivedValue(stored: StoredValue, type: PropertyType): unknown {
  if (stored === null) return undefined
  if (typeof type !== 'string') return JSON.parse(String(stored)) as unknown
  return scalarOf(stored, type)
}

function scalarOf(stored: string | number | bigint, type: ScalarType): unknown {
  switch (type) {
    case 'integer':
    case 'double':
      return Number(stored)
    case 'boolean':
      return stored === 't' || stored === 1n
    case 'timestamp':
      // PostgreSQL writes 2021-05-01 09:30:00.25+00.
      return String(stored)
        .replace(' ', 'T')
        .replace(/[+]00$/, 'Z')
    case 'string':
    case 'long':
    case 'decimal':
    case 'date':
      return String(stored)
    default:
      return type satisfies never
  }
}

/** The object that a row stands for. */
export function objectInRow(row: StoredRow, type: CopiedType): CopiedObject {
  const properties: Record<string, unknown> = {}
  for (const { property, column, type: propertyType } of copiedColumns(type)) {
    const value = receivedValue(row[column] ?? null, propertyType)
    if (value !== undefined) properties[property] = value
  }
  return { primaryKey: String(properties[type.primaryKey]), properties }
}

/** A property that the definition does not have was added after the definition was read. */
export function rowOf({ primaryKey, properties }: CopiedObject, type: CopiedType): CopiedRow {
  for (const name in properties) {
    if (!Object.hasOwn(type.properties, name)) throw new CopyProblem('newer definition', type.apiName)
  }
  return { primaryKey, properties, hash: signedHash({ primaryKey, properties }) }
}

export const signedHash = (object: CopiedObject): bigint =>
  BigInt.asIntN(64, BigInt(`0x${hashOfObject(object)}`))
