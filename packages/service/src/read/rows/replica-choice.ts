// Which replica a snapshot page is asked from. How far a replica is, its own answers tell: each comes with the clock of the
// state that it was read from. So nothing is asked beforehand, and an answer that came too early is not used.
import type { Database } from '../../postgres/database.ts'

export interface Replica {
  /** Its host and port. */
  readonly name: string
  readonly database: Database
}

/** What a page needs a replica to have. */
interface Reached {
  readonly table: string
  readonly version: bigint
}

export interface ReplicaChoice {
  /** In turns; nothing when none is known to be of use. */
  readonly choose: (wanted: Reached) => Replica | undefined
  /** It has the version. */
  readonly arrived: (replica: Replica, table: string) => void
  /** It was asked for more than it has reached: not asked for more than that until some time has passed. */
  readonly behind: (replica: Replica, reached: Reached) => void
  /** Leaves it alone for a while. */
  readonly leaveOut: (replica: Replica) => void
}

/** Replicas are usually behind for some milliseconds. */
const askAgainAfterMs = 200
const leftOutMs = 5_000

interface Known {
  readonly replica: Replica
  readonly behind: Map<string, { readonly version: bigint; readonly at: number }>
  leftOutUntil: number
}

export function replicaChoice(replicas: readonly Replica[], elapsed: () => number): ReplicaChoice {
  const all = new Map<Replica, Known>(
    replicas.map((replica) => [replica, { replica, behind: new Map(), leftOutUntil: -Infinity }]),
  )
  let turn = 0

  const isOfUse = ({ behind, leftOutUntil }: Known, { table, version }: Reached): boolean => {
    const now = elapsed()
    if (now < leftOutUntil) return false
    const last = behind.get(table)
    return last === undefined || last.version >= version || now - last.at >= askAgainAfterMs
  }

  return {
    choose: (wanted) => {
      for (let tries = 0; tries < replicas.length; tries += 1) {
        turn = (turn + 1) % replicas.length
        const replica = replicas[turn]
        const known = replica && all.get(replica)
        if (known !== undefined && isOfUse(known, wanted)) return known.replica
      }
      return undefined
    },
    arrived: (replica, table) => void all.get(replica)?.behind.delete(table),
    behind: (replica, { table, version }) =>
      void all.get(replica)?.behind.set(table, { version, at: elapsed() }),
    leaveOut: (replica) => {
      const known = all.get(replica)
      if (known !== undefined) known.leftOutUntil = elapsed() + leftOutMs
    },
  }
}
