// Idle connections that were released a moment ago and are given out again at once. The driver's pool sets a timer for each
// connection that is released and another for each request for one, and hands it out in a later turn of the event loop: that
// takes a twentieth of the processor time of a page of 100 objects (decision 29).
import type { PoolClient } from 'pg'

export interface IdleClients {
  readonly take: () => PoolClient | undefined
  readonly add: (client: PoolClient) => void
  /** Returns whether it was there. */
  readonly remove: (client: PoolClient) => boolean
  readonly count: () => number
  /** Releases all of them to the driver's pool. */
  readonly letGo: () => void
}

const lookEveryMs = 1_000

export function idleClients(): IdleClients {
  /** A stack: the last one is taken first, so unused ones collect at the front. */
  const clients: PoolClient[] = []
  /** How many connections at the front have not been taken since the last timer tick. */
  let unused = 0
  let timer: NodeJS.Timeout | undefined

  const release = (count: number): void => {
    for (const client of clients.splice(0, count)) client.release()
    unused = clients.length
    if (unused > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    take: () => {
      const client = clients.pop()
      unused = Math.min(unused, clients.length)
      return client
    },
    add: (client) => {
      clients.push(client)
      timer ??= setInterval(() => release(unused), lookEveryMs).unref()
    },
    remove: (client) => {
      const at = clients.indexOf(client)
      if (at === -1) return false
      clients.splice(at, 1)
      unused = Math.min(unused, clients.length)
      return true
    },
    count: () => clients.length,
    letGo: () => release(clients.length),
  }
}
