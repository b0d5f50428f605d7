// What a copy needs of a database, whichever kind it is.
import type { PropertyType } from '@octavo/protocol'
import type { CopiedRow, StoredRow, StoredValue } from './copied-row.ts'
import {
  copiedColumns,
  fittingName,
  hashColumn,
  quotedName,
  tableName,
  type CopyTable,
} from './copied-type.ts'

/** Another program may be writing: for so long we wait for it. */
export const turnWithinMs = 10_000

/** Another program writes, and does not finish. */
export class CopyBusy extends Error {
  override readonly name = 'CopyBusy'
}

export interface CopyDatabase {
  readonly dialect: CopyDialect
  /** Writes everything or nothing. Transactions run one after another. */
  readonly writing: <Answer>(work: (statements: Statements) => Promise<Answer>) => Promise<Answer>
  /** Reads one state, however long it takes and even if others write meanwhile. */
  readonly reading: <Answer>(work: (statements: ReadStatements) => Promise<Answer>) => Promise<Answer>
  readonly close: () => Promise<void>
}

export interface ReadStatements {
  /** Parameters are `$1`, `$2`, and so on. */
  readonly rows: (text: string, values?: readonly StoredValue[]) => Promise<readonly StoredRow[]>
  /** A few at a time, so that a table of any size can be read. */
  readonly each: (text: string) => AsyncIterable<readonly StoredRow[]>
}

export interface Statements extends Omit<ReadStatements, 'each'> {
  readonly run: (text: string, values?: readonly StoredValue[]) => Promise<void>
  /** Adds these rows; those with the same keys are replaced. */
  readonly put: (table: CopyTable, rows: readonly CopiedRow[]) => Promise<void>
}

export interface CopyDialect {
  readonly columnType: (type: PropertyType) => string
  /** The type of the column with the hash, a signed number of 64 bits. */
  readonly hashType: string
  /** What follows the columns of a table. */
  readonly tableEnd: string
  /** A query for the keys in `$1`, which is a JSON list of their texts. */
  readonly keysOf: (type: PropertyType) => string
  /** A query that finds the table whose name is `$1`. */
  readonly findTable: string
}

/** Puts the rows that `source`, a query or a list of values, has. Columns that users have added are left as they are. */
export function putText(table: CopyTable, source: string): string {
  const names = [...copiedColumns(table.type).map(({ column }) => column), hashColumn].map(quotedName)
  const key = quotedName(fittingName(table.type.primaryKey))
  const changed = names.filter((name) => name !== key).map((name) => `${name} = excluded.${name}`)
  return `insert into ${quotedName(tableName(table))} (${names.join(', ')}) ${source} on conflict (${key}) do update set ${changed.join(', ')}`
}
