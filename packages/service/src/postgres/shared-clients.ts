// Connections on which quick statements wait behind each other. As long as the service has something to do until PostgreSQL
// answers, one connection keeps both busy: the server's process then goes from one page to the next without going to sleep, and
// what it sends for several pages is read at once.
import type { PoolClient } from 'pg'

export interface SharedClients {
  /** One on which a statement more is answered soon. */
  readonly take: (mayBeTaken: (client: PoolClient) => boolean) => PoolClient | undefined
  /** Has its first statement. */
  readonly add: (client: PoolClient) => void
  /** A statement was answered. Whether it was the last one: then the connection is no longer among them. */
  readonly answered: (client: PoolClient, wasWanted?: boolean) => boolean
  /** Nobody waits for a statement any more. Whether that is so for all on its connection: nobody else gets it then. */
  readonly leave: (client: PoolClient) => boolean
  /** Whether there are statements on it, and nobody waits for one of them. */
  readonly isLeft: (client: PoolClient) => boolean
  /** Whether it was there. */
  readonly remove: (client: PoolClient) => boolean
}

/**
 * What the service may have to wait for a statement and those before it, with nothing else to do. Where it would be more, PostgreSQL is
 * the slower of the two, and another connection keeps another of its processors or disks busy.
 */
const mostIdleMs = 0.1

/** However quick they are: a lock may be met at any time, and then all behind it wait as well. */
const mostStatements = 4

/** The time of an answer is that of about as many. */
const answersCounted = 8

interface Sharing {
  statements: number
  /** Those of them that somebody waits for. */
  wanted: number
  /** The idle time of the service when PostgreSQL may have begun with the first of them. */
  since: number
}

/**
 * Time passes only while this process has nothing to do. What it measured otherwise would be itself: a busy service comes to an answer
 * long after it came.
 */
const idleTime = (): number => performance.nodeTiming.idleTime

export function sharedClients(idleMs: () => number = idleTime): SharedClients {
  const clients = new Map<PoolClient, Sharing>()
  /** Nothing is shared until answers were quick. Where they take long, a disk may be slow, which serves several at a time. */
  let answerMs = mostIdleMs
  return {
    take: (mayBeTaken) => {
      for (const [client, sharing] of clients) {
        const statements = sharing.statements + 1
        const hasRoom = statements <= mostStatements && statements * answerMs <= mostIdleMs
        // The first may wait for a disk, or for a lock that somebody holds.
        const isLate = idleMs() - sharing.since > mostIdleMs
        if (!hasRoom || isLate || sharing.wanted === 0 || !mayBeTaken(client)) continue
        sharing.statements = statements
        sharing.wanted += 1
        return client
      }
      return undefined
    },
    add: (client) => void clients.set(client, { statements: 1, wanted: 1, since: idleMs() }),
    answered: (client, wasWanted = true) => {
      const sharing = clients.get(client)
      if (sharing === undefined) return false
      const at = idleMs()
      answerMs += (at - sharing.since - answerMs) / answersCounted
      sharing.since = at
      sharing.statements -= 1
      if (wasWanted) sharing.wanted -= 1
      if (sharing.statements > 0) return false
      return clients.delete(client)
    },
    leave: (client) => {
      const sharing = clients.get(client)
      if (sharing === undefined) return false
      sharing.wanted -= 1
      return sharing.wanted === 0
    },
    isLeft: (client) => clients.get(client)?.wanted === 0,
    remove: (client) => clients.delete(client),
  }
}
