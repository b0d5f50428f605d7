import type { Pool, PoolClient } from 'pg'
import type { Observe } from '../observe/observation.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { idleClients } from './idle-clients.ts'
import type { ServerTurns } from './server-turns.ts'
import { hasNoRoom } from './sqlstate.ts'
import { isUnanswered } from './within-ms.ts'

/** Gives out connections of the driver's pool, but none that is broken or may lead to a machine that is gone. */
export function trustedConnections(
  pool: Pool,
  servers: ServerTurns,
  observe: Observe,
): Pick<ConnectionPool, 'connect' | 'release' | 'closeIdle' | 'counts' | 'end'> {
  const idle = idleClients()
  const openedAt = new WeakMap<object, number>()
  const broken = new WeakMap<object, Error>()
  let suspectedAt = -1
  const lost = (error: Error) => observe({ kind: 'database-connection-lost', error })
  // An idle connection that breaks is replaced at the next use. Without a listener, the event would end the process.
  pool.on('error', lost)
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now())
    client.on('error', (error) => {
      broken.set(client, error)
      if (!idle.remove(client)) return
      lost(error)
      client.release(error)
    })
  })
  const isTrusted = (client: PoolClient): boolean => (openedAt.get(client) ?? 0) > suspectedAt

  return {
    connect: async () => {
      for (;;) {
        const client = idle.take() ?? (await connectToAny(pool, servers))
        if (isTrusted(client)) return client
        client.release(true)
      }
    },
    release: (client, brokenBy) => {
      // If the machine is gone, all connections to it are lost, and each would have to time out.
      if (isUnanswered(brokenBy)) suspectedAt = performance.now()
      const error = brokenBy ?? broken.get(client)
      // Requests that wait for a connection are queued in the driver's pool, so the connection goes there.
      if (error === undefined && pool.waitingCount === 0 && !pool.ending) idle.add(client)
      else client.release(error)
    },
    closeIdle: async () => {
      const client = idle.take() ?? (pool.idleCount > 0 ? await pool.connect() : undefined)
      client?.release(true)
    },
    counts: () => ({
      open: pool.totalCount,
      idle: pool.idleCount + idle.count(),
      waiting: pool.waitingCount,
    }),
    end: () => {
      idle.letGo()
      return pool.end()
    },
  }
}

/** Tries each server once; afterwards the one that works is tried first. */
async function connectToAny(pool: Pool, servers: ServerTurns): Promise<PoolClient> {
  for (let tries = 1; ; tries += 1) {
    const tried = servers.current()
    try {
      return await pool.connect()
    } catch (error) {
      if (isPoolFull(error)) throw error
      if (tries < servers.count) servers.leave(tried)
      else return waitForOpen(pool, error)
    }
  }
}

const openOnlyMs = 5_000

/** A server that has no room for another session still serves those that are open. For some seconds, requests wait for one of them. */
async function waitForOpen(pool: Pool, refusal: unknown): Promise<PoolClient> {
  if (!hasNoRoom(refusal) || pool.totalCount === 0) throw refusal
  const { max } = pool.options
  pool.options.max = Math.min(max, pool.totalCount)
  if (pool.options.max < max) setTimeout(() => (pool.options.max += 1), openOnlyMs).unref()
  try {
    return await pool.connect()
  } catch (error) {
    // Some of those that were counted were only about to be opened: each refusal is one less.
    return waitForOpen(pool, error)
  }
}

const isPoolFull = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'
