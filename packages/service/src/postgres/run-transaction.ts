import { copyIn } from '@octavo/pg-bytes'
import type { PoolClient, QueryConfig } from 'pg'
import type { SqlQuery } from '../base/sql-query.ts'
import { type ConnectionPool, withClient } from './connection-pool.ts'
import type { Row, Transaction } from './reader.ts'
import { commitFailure } from './outcome-unknown.ts'
import { hasState } from './sqlstate.ts'
import { noTimeoutMs, withinMs } from './within-ms.ts'

type ToQuery = (query: SqlQuery) => QueryConfig

export const runTransaction = <T>(
  pool: ConnectionPool,
  toQuery: ToQuery,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  withClient(pool, async (client, discard) => {
    let result: T
    try {
      pool.begun(await client.query(pool.begin))
      result = await work(transactionOn(client, toQuery))
    } catch (error) {
      if (hasState(error, 'readOnly')) discard(error as Error)
      // This also fails where the connection broke; the error to report is the one that ended the work.
      await client.query('rollback').catch(discard)
      throw error
    }
    await client.query('commit').catch((error: unknown) => {
      discard(error as Error)
      throw commitFailure(error)
    })
    return result
  })

function transactionOn(client: PoolClient, toQuery: ToQuery): Transaction {
  let takesTime = false
  const patient = (query: QueryConfig) => (takesTime ? withinMs(noTimeoutMs, query) : query)
  return {
    rows: async (query) => (await client.query(patient(toQuery(query)))).rows as Row[],
    count: async (query) => (await client.query(patient(toQuery(query)))).rowCount ?? 0,
    run: async (text) => {
      await client.query(patient({ text }))
    },
    copyIn: (text, chunks) => copyIn(client, text, chunks),
    takeTime: async () => {
      await client.query('set local statement_timeout = 0')
      takesTime = true
    },
  }
}
