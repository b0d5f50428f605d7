// Reads a copy, in SQLite or PostgreSQL, with everything that it says of itself.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { textOf, type Contents } from './contents.ts'

export interface CopiedTable {
  readonly type: string
  readonly version: number
  readonly snapshotToken: string
  readonly rows: Contents
}

type Row = Readonly<Record<string, unknown>>
/** All rows of a table, in the state in which all tables are read. */
type ReadTable = (name: string) => Promise<readonly Row[]>

const stateTable = 'octavo_sync'

/** Nothing if there is no copy yet. */
export const readSqliteCopy = async (path: string): Promise<readonly CopiedTable[]> => {
  if (!existsSync(path)) return []
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 })
  try {
    database.exec('begin')
    const names = database.prepare('select name from sqlite_schema').all()
    if (!names.some(({ name }) => name === stateTable)) return []
    return await tablesOf(async (name) => database.prepare(`select * from "${name}"`).all())
  } finally {
    database.close()
  }
}

export async function readPostgresCopy(url: string): Promise<readonly CopiedTable[]> {
  const client = new Client(url)
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read')
    const found = await client.query('select to_regclass($1) as name', [stateTable])
    if ((found.rows as readonly Row[])[0]?.['name'] === null) return []
    return await tablesOf(
      async (name) => (await client.query(`select * from "${name}"`)).rows as readonly Row[],
    )
  } finally {
    await client.end()
  }
}

async function tablesOf(read: ReadTable): Promise<readonly CopiedTable[]> {
  const tables: CopiedTable[] = []
  for (const state of await read(stateTable)) {
    const type = String(state['object_type'])
    const rows = (await read(type)).map((row) => [String(row['id']), textOf(objectOf(row))] as const)
    tables.push({
      type,
      version: Number(state['version']),
      snapshotToken: String(state['snapshot_token']),
      rows: new Map(rows),
    })
  }
  return tables
}

/** SQLite has no arrays; theirs are JSON. */
function objectOf({ _octavo_hash: _hash, tags, ...row }: Row): object {
  return { ...row, tags: typeof tags === 'string' ? (JSON.parse(tags) as unknown) : tags }
}
