// What a process that follows a collection is told, and what it reports.
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

/** A copy, and what the service said about the state that it is in. */
export interface StoredCopy {
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
  /** How the follower came to it: from its file when it began, by a whole copy and why, or by changes. */
  readonly by: 'file' | 'changes' | `restart: ${string}`
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
