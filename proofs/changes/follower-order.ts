// The order for a process that follows a collection, and its reports.
import type { FoundObject } from '@octavo/client'

/** Faults that a follower may have; each must be found. */
export type Mutation = 'token before data' | 'keeps what was lost'

export interface FollowerOrder {
  readonly url: string
  readonly apiFamily: string
  /** Holds the copy and its token. */
  readonly file: string
  readonly pageSize: number
  readonly waitSeconds: number
  readonly mutation?: Mutation | undefined
}

/** How a follower came to a state: by a whole copy and why, or by changes. */
type CameBy = 'changes' | `restart: ${string}`

/** A copy, and what the service said about the state that it is in. */
export interface StoredCopy {
  readonly by: CameBy
  readonly snapshotToken: string
  readonly version: string
  /** When the follower had all of it, in milliseconds since 1970. */
  readonly reachedAt: number
  readonly checksum: string | undefined
  readonly totalCount: string | undefined
  readonly objects: readonly FoundObject[]
}

export interface ReportedState extends StoredCopy {
  readonly kind: 'state'
  /** Read when the follower began; it may have been killed before it could report it for the first time. */
  readonly fromFile: boolean
  readonly changes: number
  /** Changes that no difference may have. */
  readonly odd: readonly string[]
}

/** The follower has ended by itself. */
interface ReportedFailure {
  readonly kind: 'failed'
  readonly why: string
}

export type FollowerReport = ReportedState | ReportedFailure
