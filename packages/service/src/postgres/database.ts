// The only access to PostgreSQL. All other code asks it for rows, bytes or a transaction.
import { BytesQuery, cancelUntilAnswered, firstRow, type BytesRow, type TakeRow } from '@octavo/pg-bytes'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import type { SqlQuery } from '../base/sql-query.ts'
import { type ConnectionCounts, type ConnectionPool, withClient, type Discard } from './connection-pool.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { Reader, Row, Transaction } from './reader.ts'
import { runTransaction } from './run-transaction.ts'
import { send, sendTogether, type Sent } from './send-together.ts'
import { isMisnamed, leavesConnection } from './sqlstate.ts'
import { recentStatementNames, statementNames } from './statement-names.ts'
import { noTimeoutMs, unanswered, withinMs } from './within-ms.ts'

export type { ConnectionCounts, Reader, Row, Transaction }

/** Runs statements on the tables of one schema, wherever it is. */
export interface SchemaDatabase extends Reader {
  /** Calls `takeRow` with the bytes of each row: for pages, which are passed on without being parsed. */
  readonly eachRow: (query: SqlQuery, takeRow: TakeRow, signal?: AbortSignal) => Promise<void>
  /** The first row, as bytes. */
  readonly bytes: (query: SqlQuery, signal?: AbortSignal) => Promise<BytesRow | undefined>
  readonly transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
  /** Runs all statements in one transaction and one round trip; returns the rows of each. */
  readonly pipeline: (queries: readonly SqlQuery[]) => Promise<readonly (readonly Row[])[]>
}

export interface NodeState {
  readonly address: string
  /** Whether the last attempt to connect succeeded. */
  readonly isReachable: boolean
  readonly connections: ConnectionCounts
}

export interface Database extends SchemaDatabase {
  /** For statements that need this schema only: on a Citus cluster they are sent to the node that holds it. */
  readonly holding: (schema: string) => SchemaDatabase
  /** A reader with this time-out, for queries whose answer is useless after that time. */
  readonly within: (milliseconds: number) => Reader
  readonly isCitus: () => boolean
  /**
   * Runs a statement outside any transaction, without a time-out: for statements that PostgreSQL refuses inside one (a
   * concurrent index build).
   */
  readonly run: (text: string) => Promise<void>
  /** The listener is called when the server continues from another history than before: what was read until then may be lost. */
  readonly onNewTimeline: (listener: () => void) => void
  readonly connections: () => ConnectionCounts
  /** The nodes of a Citus cluster that this process has connected to, besides the coordinator. */
  readonly nodes: () => readonly NodeState[]
  readonly close: () => Promise<void>
}

const asText = { getTypeParser: () => (value: string) => value }

export function openDatabase(pool: ConnectionPool): Database {
  const nameOf = statementNames()
  const pageNameOf = recentStatementNames()

  const textQuery = ({ text, values }: SqlQuery) => ({
    text,
    values: [...values],
    types: asText,
    name: nameOf(text),
  })

  const rowsOf = (query: QueryConfig) =>
    withClient(pool, async (client, discard) => rowsIn(await sendAlone(pool, client, query, discard)))

  const readOnce: Database['eachRow'] = (query, takeRow, signal) =>
    withClient(pool, async (client, discard) => {
      signal?.throwIfAborted()
      let cancelling: ReturnType<typeof cancelUntilAnswered> | undefined
      const cancel = () => {
        cancelling = cancelUntilAnswered(client)
      }
      const asked = new BytesQuery({ ...query, name: pageNameOf(query.text) }, takeRow)
      signal?.addEventListener('abort', cancel)
      const timer = setTimeout(() => asked.giveUp(unanswered()), pool.answerMs).unref()
      try {
        await sendAlone(pool, client, asked, discard)
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
        await cancelling?.stop()
      }
    })

  const eachRow: Database['eachRow'] = async (query, takeRow, signal) => {
    try {
      return await readOnce(query, takeRow, signal)
    } catch (error) {
      // No row has been read: the server has another statement under this name, or none. It is prepared again.
      if (!isMisnamed(error)) throw error
      return readOnce(query, takeRow, signal)
    }
  }

  const database: Database = {
    holding: () => database,
    isCitus: pool.isCitus,
    rows: (query) => rowsOf(textQuery(query)),
    within: (milliseconds) => ({ rows: (query) => rowsOf(withinMs(milliseconds, textQuery(query))) }),
    eachRow,
    bytes: async (query, signal) => {
      const { takeRow, row } = firstRow()
      await eachRow(query, takeRow, signal)
      return row()
    },
    transaction: (work) => runTransaction(pool, textQuery, work),
    pipeline: (queries) =>
      withClient(pool, async (client, discard) => {
        const results = await sendTogether({ client, pool, queries: queries.map(textQuery), discard })
        return results.map(rowsIn)
      }),
    run: (text) =>
      withClient(pool, async (client, discard) => {
        if (pool.keepsSession) {
          // From here on the session has no time-out, so it must not be reused.
          discard(new Error('a session without a time-out'))
          await client.query('set statement_timeout = 0')
        }
        await client.query(withinMs(noTimeoutMs, { text }))
      }),
    onNewTimeline: pool.onNewTimeline,
    connections: pool.counts,
    nodes: () => [],
    close: () => pool.end(),
  }
  return database
}

const rowsIn = (result: unknown): readonly Row[] => (result as QueryResult).rows as Row[]

/**
 * Sends a single statement. Where sessions are not ours (a pooler in transaction mode), it needs a transaction for our settings.
 */
async function sendAlone(pool: ConnectionPool, client: PoolClient, query: Sent, discard: Discard) {
  try {
    if (pool.keepsSession) return await send(client, query)
    const [result] = await sendTogether({ client, pool, queries: [query], discard })
    return result
  } catch (error) {
    const cause = error instanceof OutcomeUnknown ? error.cause : error
    if (!leavesConnection(cause)) discard(cause as Error)
    throw cause
  }
}
