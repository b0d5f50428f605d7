// The one door to PostgreSQL. Everything else asks it for rows, bytes or a transaction.
import type { Pool, PoolClient, QueryArrayConfig } from 'pg'
import type { SqlQuery } from '../sql/sql-query.ts'
import { cancelQuery } from './cancel-query.ts'
import { statementNames } from './statement-names.ts'

export type Row = Readonly<Record<string, string | null>>

export interface Reader {
  /** Every column arrives as text, exactly as PostgreSQL writes it. */
  readonly rows: (query: SqlQuery) => Promise<readonly Row[]>
}

export interface Transaction extends Reader {
  /** A statement without parameters, such as the making of a table. */
  readonly run: (text: string) => Promise<void>
}

export interface Database extends Reader {
  /** One row of bytes: for pages, which are passed on and not looked at. */
  readonly bytes: (query: SqlQuery, signal?: AbortSignal) => Promise<readonly (Buffer | null)[] | undefined>
  readonly transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
  /** All statements in one transaction and one round trip; the rows of each. */
  readonly pipeline: (queries: readonly SqlQuery[]) => Promise<readonly (readonly Row[])[]>
  /** Outside any transaction, as long as it takes: for what PostgreSQL refuses inside one (an index built concurrently). */
  readonly run: (text: string) => Promise<void>
  readonly connections: () => ConnectionCounts
  readonly close: () => Promise<void>
}

export interface ConnectionCounts {
  readonly open: number
  readonly idle: number
  /** Those who wait for one. */
  readonly waiting: number
}

const asText = { getTypeParser: () => (value: string) => value }
const asBytes = { getTypeParser: () => (value: unknown) => value }

export function openDatabase(pool: Pool): Database {
  const nameOf = statementNames()

  const textQuery = ({ text, values }: SqlQuery) => ({
    text,
    values: [...values],
    types: asText,
    name: nameOf(text),
  })

  const readerOn = (client: Pick<PoolClient, 'query'>): Transaction => ({
    rows: async (query) => (await client.query(textQuery(query))).rows as Row[],
    run: async (text) => {
      await client.query(text)
    },
  })

  return {
    ...readerOn(pool),
    bytes: (query, signal) =>
      withClient(pool, async (client, discard) => {
        signal?.throwIfAborted()
        let cancelling: Promise<void> | undefined
        const cancel = () => {
          cancelling = cancelQuery(client)
        }
        signal?.addEventListener('abort', cancel)
        try {
          const { rows } = await client.query({
            ...textQuery(query),
            types: asBytes,
            binary: true,
            rowMode: 'array',
          } as unknown as QueryArrayConfig)
          return (rows as (Buffer | null)[][])[0]
        } catch (error) {
          if (!isServerError(error)) discard(error as Error)
          throw error
        } finally {
          signal?.removeEventListener('abort', cancel)
          await cancelling
        }
      }),
    transaction: (work) =>
      withClient(pool, async (client, discard) => {
        try {
          await client.query('begin')
          const result = await work(readerOn(client))
          await client.query('commit')
          return result
        } catch (error) {
          // Also fails where the connection broke; what is reported is why the work ended.
          await client.query('rollback').catch(discard)
          throw error
        }
      }),
    pipeline: (queries) =>
      withClient(pool, async (client, discard) => {
        const begin = client.query('begin')
        const sent = queries.map((query) => client.query(textQuery(query)))
        const commit = client.query('commit')
        const results = await Promise.allSettled([begin, ...sent, commit])
        // Answered after every failure of a statement: it is what ends the transaction then.
        await commit.catch(discard)
        // After a failed statement PostgreSQL answers the rest with "transaction is aborted": the first failure is the cause.
        const failure = results.find((result) => result.status === 'rejected')
        if (failure !== undefined) throw failure.reason
        return Promise.all(sent.map(async (result) => (await result).rows as Row[]))
      }),
    run: (text) =>
      withClient(pool, async (client, discard) => {
        await client.query('set statement_timeout = 0')
        try {
          await client.query(text)
        } finally {
          // Back to what the connection began with.
          await client.query('reset statement_timeout').catch(discard)
        }
      }),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

type Discard = (error: Error) => void

/** A client whose connection broke, or whose transaction could not be ended, is not given back. */
async function withClient<T>(
  pool: Pool,
  work: (client: PoolClient, discard: Discard) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  const discard: Discard = (error) => {
    broken = error
  }
  client.on('error', discard)
  try {
    return await work(client, discard)
  } finally {
    client.off('error', discard)
    client.release(broken)
  }
}

/** Errors of the server carry an SQLSTATE and leave the connection usable, unless they say that it ends. */
const isServerError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(?!08|57P)[0-9A-Z]{5}$/.test(String(error.code))
