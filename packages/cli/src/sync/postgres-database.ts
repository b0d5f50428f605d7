// A copy in a PostgreSQL database, which is another one than Octavo's.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PropertyType } from '@octavo/protocol'
import type { CopySession } from '@octavo/service'
import type { CopiedRow, StoredValue } from './copied-row.ts'
import { copiedColumns, fittingName, hashColumn, quotedName, type CopiedType } from './copied-type.ts'
import {
  CopyBusy,
  putText,
  turnWithinMs,
  type CopyDatabase,
  type CopyDialect,
  type Statements,
} from './copy-database.ts'
import { oneAfterAnother } from './one-after-another.ts'

const postgresDialect: CopyDialect = {
  columnType: postgresType,
  hashType: 'bigint',
  tableEnd: '',
  keysOf: (type) => `select value::${postgresType(type)} from json_array_elements_text($1::json) as value`,
  findTable: `select 1 as found from pg_class where oid = to_regclass(quote_ident($1))`,
}

/** The writer holds it until its transaction ends. Copies in other schemas of the database have their own locks. */
const takeTurn = `select pg_try_advisory_xact_lock(hashtextextended('octavo sync ' || current_schema(), 0)) as taken`
const lookEveryMs = 100

/**
 * One at a time, as SQLite does it: two transactions that begin with the same state, each with the changes up to another one, would
 * leave a mixture of both.
 */
async function waitForTurn({ query }: CopySession): Promise<void> {
  for (const until = performance.now() + turnWithinMs; ; await sleep(lookEveryMs)) {
    const [row] = await query(takeTurn, [])
    if (row?.['taken'] === 't') return
    if (performance.now() > until) throw new CopyBusy()
  }
}

/** Connects when it is needed, and again after a connection was lost. */
export function postgresCopy(connect: () => Promise<CopySession>): CopyDatabase {
  const inTurn = oneAfterAnother()
  let opened: CopySession | undefined
  const leave = async (): Promise<void> => {
    const { end } = opened ?? {}
    opened = undefined
    await end?.()
  }
  const transaction = async <Answer>(
    begin: string,
    work: (session: CopySession) => Promise<Answer>,
  ): Promise<Answer> => {
    const session = (opened ??= await connect())
    try {
      await session.query(begin, [])
      const answer = await work(session)
      await session.query('commit', [])
      return answer
    } catch (error) {
      // If the connection is lost, the server rolls back by itself.
      await session.query('rollback', []).catch(leave)
      throw error
    }
  }
  return {
    dialect: postgresDialect,
    writing: (work) =>
      inTurn(() =>
        transaction('begin', async (session) => {
          await waitForTurn(session)
          return work(statementsOf(session))
        }),
      ),
    reading: (work) =>
      inTurn(() =>
        transaction('begin isolation level repeatable read read only', (session) =>
          work({ rows: statementsOf(session).rows, each: session.read }),
        ),
      ),
    close: () => inTurn(leave),
  }
}

function statementsOf({ query }: CopySession): Statements {
  const rows: Statements['rows'] = (text, values = []) => query(text, values.map(textOf))
  return {
    rows,
    run: async (text, values) => {
      await rows(text, values)
    },
    put: async (table, given) => {
      const source = `select * from json_to_recordset($1::json) as row(${recordOf(table.type)}) where true`
      await query(putText(table, source), [JSON.stringify(given.map((row) => recordIn(row, table.type)))])
    },
  }
}

const textOf = (value: StoredValue): string | null => (value === null ? null : String(value))

function postgresType(type: PropertyType): string {
  switch (type) {
    case 'string':
      return 'text'
    case 'boolean':
    case 'integer':
    case 'date':
      return type
    case 'long':
      return 'bigint'
    case 'double':
      return 'double precision'
    case 'decimal':
      // Without a scale, so that it keeps the zeros at the end.
      return 'numeric'
    case 'timestamp':
      return 'timestamptz'
    default:
      return 'jsonb'
  }
}

const recordOf = (type: CopiedType): string =>
  [
    ...copiedColumns(type).map(
      ({ column, type: property }) => `${quotedName(column)} ${postgresType(property)}`,
    ),
    `${quotedName(hashColumn)} bigint`,
  ].join(', ')

/** Numbers of 64 bits travel as texts, which PostgreSQL reads exactly. */
function recordIn({ properties, hash }: CopiedRow, type: CopiedType): object {
  const values = copiedColumns(type).flatMap(({ property, column }) =>
    property in properties ? [[column, properties[property]] as const] : [],
  )
  return Object.fromEntries([...values, [fittingName(hashColumn), String(hash)]])
}
