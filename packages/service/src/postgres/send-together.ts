// Sends several statements as one transaction in one round trip.
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { askForBytes, BytesQuery } from '@octavo/pg-bytes'
import { commitFailure } from './outcome-unknown.ts'
import { isFromServer, leavesConnection } from './sqlstate.ts'
import type { ConnectionPool } from './connection-pool.ts'

export type Sent = QueryConfig | BytesQuery

/** The driver returns a promise only for queries that it created itself. */
export const send = (client: Pick<PoolClient, 'query'>, query: Sent): Promise<QueryResult | void> =>
  query instanceof BytesQuery ? askForBytes(client, query) : client.query(query)

export interface Together {
  readonly client: Pick<PoolClient, 'query'>
  readonly pool: Pick<ConnectionPool, 'begin' | 'begun'>
  readonly queries: readonly Sent[]
  readonly discard: (error: Error) => void
}

export async function sendTogether({
  client,
  pool,
  queries,
  discard,
}: Together): Promise<readonly (QueryResult | void)[]> {
  const begin = client.query(pool.begin)
  const sent = queries.map((query) => send(client, query))
  const commit = client.query('commit')
  // The commit is answered even if a statement failed: it then ends the failed transaction.
  const [begun, ...results] = await Promise.allSettled([begin, ...sent, commit])
  // After a failed statement, PostgreSQL answers the rest with "transaction is aborted": the first failure is the cause.
  const all = [begun, ...results]
  const failed = all.findIndex((result) => result.status === 'rejected')
  const failure: unknown = all[failed]?.status === 'rejected' ? all[failed].reason : undefined
  const ended = all.at(-1)
  if (ended?.status === 'rejected') discard(ended.reason as Error)
  if (failed !== -1) {
    if (!leavesConnection(failure)) discard(failure as Error)
    // Everything was sent. Unless the server itself reported that an earlier statement failed, the commit may have happened.
    const beforeCommit = failed < all.length - 1 && isFromServer(failure)
    throw beforeCommit ? failure : commitFailure(failure)
  }
  pool.begun(await begin)
  return Promise.all(sent)
}
