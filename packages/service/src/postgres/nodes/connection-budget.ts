// One limit for all connections of this process, however many nodes a cluster has. A node that does not answer must not take all
// of them, so a part is always left for the others.
import type { PoolClient } from 'pg'
import type { ConnectionPool } from '../connection-pool.ts'

export interface ConnectionBudget {
  /** The pool, with its connections counted. Alone, a pool keeps to its own limit. */
  readonly share: (pool: ConnectionPool) => ConnectionPool
  /** How many requests wait until they may have a connection. */
  readonly waiting: () => number
}

interface Sharing {
  readonly pool: ConnectionPool
  /** Connections in use, and those that are being opened. */
  used: number
}

interface Waiting {
  readonly sharing: Sharing
  readonly start: () => void
}

export function connectionBudget(most: number, waitMs: number): ConnectionBudget {
  const mostOnOneNode = Math.max(1, most - Math.ceil(most / 4))
  const all: Sharing[] = []
  const takenBy = new Map<PoolClient, Sharing>()
  const queue: Waiting[] = []

  const sum = (count: (sharing: Sharing) => number) => all.reduce((total, each) => total + count(each), 0)
  const mayTake = (sharing: Sharing) => sharing.used < mostOnOneNode && sum(({ used }) => used) < most

  const take = (sharing: Sharing): Promise<void> | undefined => {
    if (mayTake(sharing)) {
      sharing.used += 1
      return undefined
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        sharing,
        start: () => {
          clearTimeout(timer)
          sharing.used += 1
          resolve()
        },
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(new Error('timeout exceeded when trying to connect'))
      }, waitMs)
      queue.push(waiting)
    })
  }

  const giveBack = (sharing: Sharing): void => {
    sharing.used -= 1
    const next = queue.findIndex((waiting) => mayTake(waiting.sharing))
    if (next !== -1) queue.splice(next, 1)[0]?.start()
  }

  /** Every connection in use was counted before it is opened, so idle ones of other nodes are closed in time. */
  const makeRoom = async (sharing: Sharing): Promise<void> => {
    while (sum(({ pool, used }) => Math.max(used, pool.counts().open)) > most) {
      const other = all.find((each) => each !== sharing && each.pool.counts().idle > 0)
      if (other === undefined) return
      await other.pool.closeIdle()
    }
  }

  return {
    waiting: () => queue.length,
    share: (pool) => {
      const sharing: Sharing = { pool, used: 0 }
      all.push(sharing)
      return {
        ...pool,
        connect: async () => {
          if (all.length === 1) return pool.connect()
          await take(sharing)
          try {
            await makeRoom(sharing)
            const client = await pool.connect()
            takenBy.set(client, sharing)
            return client
          } catch (error) {
            giveBack(sharing)
            throw error
          }
        },
        release: (client, error) => {
          pool.release(client, error)
          if (takenBy.delete(client)) giveBack(sharing)
        },
      }
    },
  }
}
