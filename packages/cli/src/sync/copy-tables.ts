// The statements on the tables of a copy, for both kinds of database.
import type { PropertyType } from '@octavo/protocol'
import type { CopiedRow } from './copied-row.ts'
import {
  addedProperties,
  copiedColumns,
  fittingName,
  hashColumn,
  quotedName,
  tableName,
  type CopiedType,
  type CopyTable,
} from './copied-type.ts'
import type { CopyDialect, Statements } from './copy-database.ts'
import { readLoad, removeLoad } from './copy-state.ts'

export const hasTable = async (
  { rows }: Statements,
  { findTable }: CopyDialect,
  name: string,
): Promise<boolean> => (await rows(findTable, [name])).length > 0

/** An empty table, which replaces an existing one. */
export async function makeTable(
  { run }: Statements,
  { columnType, hashType, tableEnd }: CopyDialect,
  table: CopyTable,
): Promise<void> {
  const columns = copiedColumns(table.type).map(
    ({ property, column, type }) =>
      `${quotedName(column)} ${columnType(type)}${property === table.type.primaryKey ? ' not null primary key' : ''}`,
  )
  await run(`drop table if exists ${quotedName(tableName(table))}`)
  await run(
    `create table ${quotedName(tableName(table))} (${columns.join(', ')}, ${hashColumn} ${hashType}) ${tableEnd}`,
  )
}

export async function addColumns(
  { run }: Statements,
  { columnType }: CopyDialect,
  table: CopyTable,
  added: readonly (readonly [string, PropertyType])[],
): Promise<void> {
  for (const [property, type] of added) {
    await run(
      `alter table ${quotedName(tableName(table))} add column ${quotedName(fittingName(property))} ${columnType(type)}`,
    )
  }
}

/** By how much the number of rows and the sum of their hashes have changed. */
export interface Difference {
  readonly objects: bigint
  readonly sum: bigint
}

export async function putRows(
  statements: Statements,
  dialect: CopyDialect,
  table: CopyTable,
  rows: readonly CopiedRow[],
): Promise<Difference> {
  if (rows.length === 0) return { objects: 0n, sum: 0n }
  const keys = rows.map(({ primaryKey }) => primaryKey)
  const before = await sumOfRows(statements, dialect, table, keys)
  await statements.put(table, rows)
  const after = rows.reduce((sum, { hash }) => sum + hash, 0n)
  return { objects: BigInt(rows.length) - before.objects, sum: after - before.sum }
}

export async function removeRows(
  statements: Statements,
  dialect: CopyDialect,
  table: CopyTable,
  keys: readonly string[],
): Promise<Difference> {
  if (keys.length === 0) return { objects: 0n, sum: 0n }
  const before = await sumOfRows(statements, dialect, table, keys)
  await statements.run(`delete from ${quotedName(tableName(table))} where ${among(table.type, dialect)}`, [
    JSON.stringify(keys),
  ])
  return { objects: -before.objects, sum: -before.sum }
}

/** The sum of those of these rows that exist. A row without a hash was written by somebody else. */
async function sumOfRows(
  { rows }: Statements,
  dialect: CopyDialect,
  table: CopyTable,
  keys: readonly string[],
): Promise<Difference> {
  const text = `select ${hashColumn} as hash from ${quotedName(tableName(table))} where ${among(table.type, dialect)}`
  const found = await rows(text, [JSON.stringify(keys)])
  const sum = found.reduce((total, { hash }) => total + BigInt(hash ?? 0), 0n)
  return { objects: BigInt(found.length), sum }
}

const among = ({ primaryKey, properties }: CopiedType, { keysOf }: CopyDialect): string =>
  `${quotedName(fittingName(primaryKey))} in (${keysOf(properties[primaryKey] ?? 'string')})`

/**
 * Makes what was loaded the contents of the live table. A table that users already read stays, with the indexes, views and
 * grants that they have made, and gets other rows: until the transaction is committed, they see those of before.
 */
export async function showLoaded(
  statements: Statements,
  dialect: CopyDialect,
  type: CopiedType,
  before: CopiedType | undefined,
): Promise<void> {
  const live: CopyTable = { role: 'live', type }
  const [from, to] = [quotedName(tableName({ role: 'staging', type })), quotedName(tableName(live))]
  const added = before && addedProperties(before, type)
  if (added === undefined) {
    if (before !== undefined) await statements.run(`drop table ${to}`)
    await statements.run(`alter table ${from} rename to ${to}`)
    return
  }
  await addColumns(statements, dialect, live, added)
  const names = [...copiedColumns(type).map(({ column }) => column), hashColumn].map(quotedName).join(', ')
  await statements.run(`delete from ${to}`)
  await statements.run(`insert into ${to} (${names}) select ${names} from ${from}`)
  await statements.run(`drop table ${from}`)
}

/** Removes what was loaded of a type that is not to be finished. */
export async function forgetLoad(statements: Statements, objectType: string): Promise<void> {
  const [partition] = await readLoad(statements, objectType)
  if (partition === undefined) return
  await statements.run(
    `drop table if exists ${quotedName(tableName({ role: 'staging', type: partition.type }))}`,
  )
  await removeLoad(statements, objectType)
}
