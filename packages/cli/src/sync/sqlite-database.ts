// A copy in a SQLite file, through the SQLite that Node has.
import { open, stat } from 'node:fs/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { PropertyType } from '@octavo/protocol'
import type { StoredRow } from './copied-row.ts'
import { copiedColumns, type CopyTable } from './copied-type.ts'
import {
  putText,
  turnWithinMs,
  type CopyDatabase,
  type CopyDialect,
  type Statements,
} from './copy-database.ts'
import { oneAfterAnother } from './one-after-another.ts'

const rowsAtATime = 1_000

const sqliteDialect: CopyDialect = {
  columnType: sqliteType,
  // Programs in JavaScript could not read a row with a number that is so large.
  hashType: 'text',
  // A value of another type, put there by hand, is refused.
  tableEnd: 'strict',
  keysOf: (type) => `select cast(value as ${sqliteType(type)}) from json_each($1)`,
  // The names of tables are compared without regard to case.
  findTable: `select name from sqlite_schema where name = $1 collate nocase`,
}

export async function openSqlite(path: string): Promise<CopyDatabase> {
  await createForOwner(path)
  const database = new DatabaseSync(path, { timeout: turnWithinMs })
  let isOurs = false
  /**
   * Readers see the state before a transaction until it is committed. The last transactions before a power cut may be lost, but never
   * a part of one: and so the copy is what its token says. Nothing of a file is changed before a sync has written to it.
   */
  const becomeOurs = (): void => {
    if (isOurs) return
    try {
      database.exec('pragma journal_mode = wal; pragma synchronous = normal')
      isOurs = true
    } catch (error) {
      // Somebody reads: after the next transaction, then.
      if (!(error instanceof Error && 'errcode' in error && error.errcode === 5)) throw error
    }
  }
  const inTurn = oneAfterAnother()
  const prepared = new Map<string, StatementSync>()
  const prepare = (text: string): StatementSync => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const statement = database.prepare(text.replaceAll(/\$(\d+)/g, '?$1'))
    statement.setReadBigInts(true)
    prepared.set(text, statement)
    return statement
  }
  const rows: Statements['rows'] = async (text, values = []) =>
    prepare(text)
      .all(...values)
      .map(storedRow)
  const statements: Statements = {
    rows,
    run: async (text, values = []) => {
      prepare(text).run(...values)
    },
    put: async (table, given) => {
      const insert = prepare(putText(table, valuesOf(table)))
      const columns = copiedColumns(table.type)
      for (const { properties, hash } of given) {
        insert.run(
          ...columns.map(({ property, type }) => sqliteValue(properties[property], type)),
          String(hash),
        )
      }
    },
  }
  const transaction = async <Answer>(begin: string, work: () => Promise<Answer>): Promise<Answer> => {
    database.exec(begin)
    try {
      const answer = await work()
      database.exec('commit')
      return answer
    } catch (error) {
      // SQLite itself rolls back after some errors, such as a full disk.
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }
  return {
    dialect: sqliteDialect,
    writing: (work) =>
      inTurn(async () => {
        const answer = await transaction('begin immediate', () => work(statements))
        becomeOurs()
        return answer
      }),
    reading: (work) =>
      inTurn(() => transaction('begin', () => work({ rows, each: (text) => each(prepare(text)) }))),
    close: () => inTurn(async () => database.close()),
  }
}

/** A policy may hide from others what a copy holds. A file that is there keeps its rights. */
async function createForOwner(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    if ((await stat(path)).isDirectory())
      throw Object.assign(new Error('is a folder'), { code: 'EISDIR', path })
  }
}

async function* each(statement: StatementSync): AsyncGenerator<readonly StoredRow[]> {
  let some: StoredRow[] = []
  for (const row of statement.iterate()) {
    some.push(storedRow(row))
    if (some.length < rowsAtATime) continue
    yield some
    some = []
  }
  yield some
}

const storedRow = (row: Readonly<Record<string, unknown>>): StoredRow =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tables of a copy have no blobs
  row as StoredRow

const valuesOf = ({ type }: CopyTable): string =>
  `values (${['?', ...copiedColumns(type).map(() => '?')].join(', ')})`

function sqliteType(type: PropertyType): 'integer' | 'real' | 'text' {
  switch (type) {
    case 'integer':
    case 'long':
    case 'boolean':
      return 'integer'
    case 'double':
      return 'real'
    default:
      // SQLite has neither decimals nor dates. As texts they keep every digit, and dates are in order.
      return 'text'
  }
}

function sqliteValue(value: unknown, type: PropertyType): SQLInputValue {
  if (value === undefined) return null
  if (typeof type !== 'string') return JSON.stringify(value)
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string') throw new TypeError(`a ${type} that is neither a number nor a text`)
  return type === 'long' ? BigInt(value) : value
}
