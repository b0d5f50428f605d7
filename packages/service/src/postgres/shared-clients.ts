// Connections on which quick statements wait behind each other. As long as PostgreSQL answers within less time than the service
// takes to ask, one connection keeps both busy: the server's process then goes from one page to the next without going to sleep,
// and what it sends for several pages is read at once.
import type { PoolClient } from 'pg'

export interface SharedClients {
  /** One on which a statement more is answered soon. */
  readonly take: (mayBeTaken: (client: PoolClient) => boolean) => PoolClient | undefined
  /** Has its first statement. */
  readonly add: (client: PoolClient) => void
  /** A statement was answered. Whether it was the last one: then the connection is no longer among them. */
  readonly answered: (client: PoolClient) => boolean
  /** Whether a single statement is left on it. Nobody else gets it then. */
  readonly keepAlone: (client: PoolClient) => boolean
  /** Whether it was there. */
  readonly remove: (client: PoolClient) => boolean
}

/** What a statement may have to wait for those before it, itself included. One that would wait longer gets another connection. */
const mostWaitMs = 2

/** The time of an answer is that of about as many. */
const answersCounted = 8

interface Sharing {
  statements: number
  /** Since when PostgreSQL may have been at work on the first of them. */
  since: number
  isAlone: boolean
}

export function sharedClients(now: () => number = () => performance.now()): SharedClients {
  const clients = new Map<PoolClient, Sharing>()
  /** Nothing is shared until answers were quick. Where they take long, a disk may be slow, which serves several at a time. */
  let answerMs = mostWaitMs
  return {
    take: (mayBeTaken) => {
      for (const [client, sharing] of clients) {
        const hasRoom = (sharing.statements + 1) * answerMs <= mostWaitMs
        // The first may wait for a disk, or for a lock that somebody holds.
        const isLate = now() - sharing.since > mostWaitMs
        if (!hasRoom || isLate || sharing.isAlone || !mayBeTaken(client)) continue
        sharing.statements += 1
        return client
      }
      return undefined
    },
    add: (client) => void clients.set(client, { statements: 1, since: now(), isAlone: false }),
    answered: (client) => {
      const sharing = clients.get(client)
      if (sharing === undefined) return false
      const at = now()
      answerMs += (at - sharing.since - answerMs) / answersCounted
      sharing.since = at
      sharing.statements -= 1
      if (sharing.statements > 0) return false
      return clients.delete(client)
    },
    keepAlone: (client) => {
      const sharing = clients.get(client)
      if (sharing?.statements !== 1) return false
      sharing.isAlone = true
      return true
    },
    remove: (client) => clients.delete(client),
  }
}
