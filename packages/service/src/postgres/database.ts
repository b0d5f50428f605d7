// The one door to PostgreSQL. Everything else asks it for rows, bytes or a transaction.
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { deadlines } from '../memory/deadlines.ts'
import type { GoneSignal } from '../memory/gone-signal.ts'
import type { SqlQuery } from '../sql/sql-query.ts'
import { askForBytes } from './bytes-client.ts'
import { BytesQuery, type NamedQuery } from './bytes-query.ts'
import type { ConnectionCounts, ConnectionPool } from './connection-pool.ts'
import type { TakeRow } from './message-reader.ts'
import { commitFailure, OutcomeUnknown } from './outcome-unknown.ts'
import { firstRow, type BytesRow } from './row-fields.ts'
import { send, sendTogether, type Sent } from './send-together.ts'
import { hasState, isMisnamed, leavesConnection } from './sqlstate.ts'
import { recentStatementNames, statementNames } from './statement-names.ts'
import { noTimeoutMs, withinMs } from './within-ms.ts'

export type { ConnectionCounts }

export type Row = Readonly<Record<string, string | null>>

export interface Reader {
  /** Every column arrives as text, exactly as PostgreSQL writes it. */
  readonly rows: (query: SqlQuery) => Promise<readonly Row[]>
}

export interface Transaction extends Reader {
  /** A statement without parameters, such as the making of a table. */
  readonly run: (text: string) => Promise<void>
  /** From here on its statements take as long as they need, and nobody gives them up. */
  readonly takeTime: () => Promise<void>
}

export interface Database extends Reader {
  /** For questions whose answer nobody waits for any longer. */
  readonly within: (milliseconds: number) => Reader
  /** Rows as bytes: for pages, which are passed on and not looked at. */
  readonly eachRow: (query: SqlQuery, takeRow: TakeRow, signal?: GoneSignal) => Promise<void>
  /** One row of bytes. */
  readonly bytes: (query: SqlQuery, signal?: GoneSignal) => Promise<BytesRow | undefined>
  readonly transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
  /** All statements in one transaction and one round trip; the rows of each. */
  readonly pipeline: (queries: readonly SqlQuery[]) => Promise<readonly (readonly Row[])[]>
  /** Outside any transaction, as long as it takes: for what PostgreSQL refuses inside one (an index built concurrently). */
  readonly run: (text: string) => Promise<void>
  /** Called when the server goes on from another history than before: what was read until then may be lost. */
  readonly onNewTimeline: (listener: () => void) => void
  readonly connections: () => ConnectionCounts
  readonly close: () => Promise<void>
}

const asText = { getTypeParser: () => (value: string) => value }

export function openDatabase(pool: ConnectionPool): Database {
  const nameOf = statementNames()
  const pageNameOf = recentStatementNames()
  const unanswered = deadlines<BytesQuery>(pool.answerMs, (query) => query.giveUp())

  const textQuery = ({ text, values }: SqlQuery) => ({
    text,
    values: [...values],
    types: asText,
    name: nameOf(text),
  })

  /** A statement on its own. Without a session of ours it needs a transaction, to have our settings in. */
  const single = async (client: PoolClient, query: Sent, discard: Discard) => {
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

  const transactionOn = (client: PoolClient): Transaction => {
    let takesTime = false
    const patient = (query: QueryConfig) => (takesTime ? withinMs(noTimeoutMs, query) : query)
    return {
      rows: async (query) => (await client.query(patient(textQuery(query)))).rows as Row[],
      run: async (text) => {
        await client.query(patient({ text }))
      },
      takeTime: async () => {
        await client.query('set local statement_timeout = 0')
        takesTime = true
      },
    }
  }

  const rowsOf = (query: QueryConfig) =>
    withClient(pool, async (client, discard) => rowsIn(await single(client, query, discard)))

  const named = (query: SqlQuery): NamedQuery => ({ ...query, name: pageNameOf(query.text) })

  const rowsAlone: Database['eachRow'] = (query, takeRow, signal) =>
    withClient(pool, async (client, discard) => {
      signal?.throwIfAborted()
      const stop = () => pool.cancel(client)
      const asked = new BytesQuery(named(query), takeRow)
      signal?.addEventListener('abort', stop)
      unanswered.add(asked)
      try {
        await single(client, asked, discard)
      } finally {
        unanswered.delete(asked)
        signal?.removeEventListener('abort', stop)
      }
    })

  /**
   * Among statements that somebody waits for, one cannot be cancelled: the server would stop whichever it is at. It is about to be answered
   * anyway. Where nobody waits for any, each is cancelled when its turn comes.
   */
  const rowsAmongOthers: Database['eachRow'] = async (query, takeRow, signal) => {
    const sharing = pool.share()
    const client = sharing instanceof Promise ? await sharing : sharing
    let wasWanted = true
    if (signal?.aborted) {
      pool.unshare(client, { wasWanted })
      throw signal.reason
    }
    const asked = new BytesQuery(named(query), takeRow, (error) => {
      unanswered.delete(asked)
      const breaks = error !== null && !leavesConnection(error) ? error : undefined
      pool.unshare(client, { wasWanted, error: breaks })
      if (pool.isLeft(client)) pool.cancel(client)
    })
    const stop = () => {
      wasWanted = false
      if (pool.leave(client)) pool.cancel(client)
      else asked.leave(signal?.reason)
    }
    signal?.addEventListener('abort', stop)
    unanswered.add(asked)
    try {
      await askForBytes(client, asked)
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** A page without a filter is a range of an index, and as quick as its rows are few. */
  const eachRow: Database['eachRow'] = async (query, takeRow, signal) => {
    const mayShare = query.shape !== undefined && pool.keepsSession
    try {
      return await (mayShare ? rowsAmongOthers : rowsAlone)(query, takeRow, signal)
    } catch (error) {
      // Nothing has been done yet. The statement before it may have been to make it known to the server, and failed.
      if (!isMisnamed(error)) throw error
      return rowsAlone(query, takeRow, signal)
    }
  }

  return {
    rows: (query) => rowsOf(textQuery(query)),
    within: (milliseconds) => ({ rows: (query) => rowsOf(withinMs(milliseconds, textQuery(query))) }),
    eachRow,
    bytes: async (query, signal) => {
      const { takeRow, row } = firstRow()
      await eachRow(query, takeRow, signal)
      return row()
    },
    transaction: (work) =>
      withClient(pool, async (client, discard) => {
        let result: Awaited<ReturnType<typeof work>>
        try {
          pool.begun(await client.query(pool.begin))
          result = await work(transactionOn(client))
        } catch (error) {
          if (hasState(error, 'readOnly')) discard(error as Error)
          // Also fails where the connection broke; what is reported is why the work ended.
          await client.query('rollback').catch(discard)
          throw error
        }
        await client.query('commit').catch((error: unknown) => {
          discard(error as Error)
          throw commitFailure(error)
        })
        return result
      }),
    pipeline: (queries) =>
      withClient(pool, async (client, discard) => {
        const results = await sendTogether({ client, pool, queries: queries.map(textQuery), discard })
        return results.map(rowsIn)
      }),
    run: (text) =>
      withClient(pool, async (client, discard) => {
        if (pool.keepsSession) {
          // The session has no time-out from here on, so that nothing else may use it.
          discard(new Error('a session without a time-out'))
          await client.query('set statement_timeout = 0')
        }
        await client.query(withinMs(noTimeoutMs, { text }))
      }),
    onNewTimeline: pool.onNewTimeline,
    connections: pool.counts,
    close: () => pool.end(),
  }
}

const rowsIn = (result: unknown): readonly Row[] => (result as QueryResult).rows as Row[]

type Discard = (error: Error) => void

/** A client whose connection broke, or whose transaction could not be ended, is not given back. */
async function withClient<T>(
  pool: ConnectionPool,
  work: (client: PoolClient, discard: Discard) => Promise<T>,
): Promise<T> {
  const connecting = pool.connect()
  const client = connecting instanceof Promise ? await connecting : connecting
  let broken: Error | undefined
  const discard: Discard = (error) => {
    broken = error
  }
  try {
    return await work(client, discard)
  } finally {
    pool.release(client, broken)
  }
}
