import type { ScalarType } from '@octavo/protocol'

/**
 * A typed column in addition to the JSON text of an object: one for each property (or struct component) that is searched,
 * ordered by or shown as the title. Its name is a number from the catalog, never a name from outside.
 */
export interface Column {
  readonly name: string
  readonly property: string
  readonly component?: string
  /**
   * `value` holds the value itself; `terms` holds the terms of a searchable string, in order, as an array; `hash` holds the hash
   * of the whole object, and its property is empty.
   */
  readonly role: 'value' | 'terms' | 'hash'
  readonly scalar: ScalarType
  /** The property holds many values, so the column is an array. */
  readonly many: boolean
  /** False while older objects still lack the value; such a column is written but not yet read. */
  readonly filled: boolean
}

const sqlTypes = {
  // Code point order, whatever the locale of the database is.
  string: 'text collate "C"',
  boolean: 'boolean',
  integer: 'integer',
  long: 'bigint',
  double: 'double precision',
  decimal: 'numeric',
  date: 'date',
  // UTC without a zone: its text does not depend on the session's time zone.
  timestamp: 'timestamp',
} as const satisfies Record<ScalarType, string>

const bareTypes = { ...sqlTypes, string: 'text' } as const satisfies Record<ScalarType, string>

/** The type of a table column, with its collation. */
export const columnType = (scalar: ScalarType, many = false): string => {
  if (!many) return sqlTypes[scalar]
  return scalar === 'string' ? 'text[] collate "C"' : `${sqlTypes[scalar]}[]`
}

/** The type for casting a parameter. */
export const castType = (scalar: ScalarType, many = false): string =>
  `${bareTypes[scalar]}${many ? '[]' : ''}`
