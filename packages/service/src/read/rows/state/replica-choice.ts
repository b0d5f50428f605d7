// Chooses the replica to ask for a snapshot page. Each answer of a replica comes with the clock of the state that it was read
// from, so the answers themselves say how far a replica is. Nothing is asked beforehand, and an answer from before the version
// is not used.
import type { Database } from '../../../postgres/database.ts'

export interface Replica {
  /** The replica's host and port. */
  readonly name: string
  readonly database: Database
}

/** The version of a table that a page needs a replica to have reached. */
interface Reached {
  readonly table: string
  readonly version: bigint
}

export interface ReplicaChoice {
  /** Takes turns; undefined when no replica is known to be of use. */
  readonly choose: (wanted: Reached) => Replica | undefined
  /** Notes that the replica has the version it was asked for. */
  readonly arrived: (replica: Replica, table: string) => void
  /** Notes that the replica was asked for more than it has reached. It is asked for nothing newer until some time has passed. */
  readonly behind: (replica: Replica, reached: Reached) => void
  /** Leaves the replica out for a while. */
  readonly leaveOut: (replica: Replica) => void
}

/** Replicas are usually only some milliseconds behind. */
const askAgainAfterMs = 200
const leftOutMs = 5_000

interface ReplicaState {
  readonly replica: Replica
  readonly behind: Map<string, { readonly version: bigint; readonly at: number }>
  leftOutUntil: number
}

export function replicaChoice(replicas: readonly Replica[], elapsed: () => number): ReplicaChoice {
  const all = new Map<Replica, ReplicaState>(
    replicas.map((replica) => [replica, { replica, behind: new Map(), leftOutUntil: -Infinity }]),
  )
  let turn = 0

  const isOfUse = ({ behind, leftOutUntil }: ReplicaState, { table, version }: Reached): boolean => {
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
        const state = replica && all.get(replica)
        if (state !== undefined && isOfUse(state, wanted)) return state.replica
      }
      return undefined
    },
    arrived: (replica, table) => void all.get(replica)?.behind.delete(table),
    behind: (replica, { table, version }) =>
      void all.get(replica)?.behind.set(table, { version, at: elapsed() }),
    leaveOut: (replica) => {
      const state = all.get(replica)
      if (state !== undefined) state.leftOutUntil = elapsed() + leftOutMs
    },
  }
}
