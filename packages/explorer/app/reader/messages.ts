// The messages between the page and the worker. Every job carries the token, because a worker has no session.
import type { OrderKey, Query } from '@octavo/client'

export type ExportFormat = 'csv' | 'ndjson'

interface JobTarget {
  readonly url: string
  readonly token: string
  readonly family: string
  readonly type: string
}

export interface ExportJob extends JobTarget {
  readonly kind: 'export'
  readonly format: ExportFormat
  readonly columns: readonly string[]
  readonly query: Query | undefined
  readonly order: readonly OrderKey[]
  readonly snapshotToken: string
}

/** Two walks of one type, side by side: one as pages come, one from a snapshot. */
export interface WalkJob extends JobTarget {
  readonly kind: 'walk'
  readonly primaryKey: string
  readonly order: readonly OrderKey[]
  readonly pageSize: number
  /** A pause after each page, so that a person can see it. */
  readonly pauseMilliseconds: number
}

export type ReaderName = 'plain' | 'snapshot'

export interface WalkPage {
  readonly kind: 'page'
  readonly reader: ReaderName
  readonly objects: number
  /** How many of them had come before. */
  readonly repeated: number
}

/** Sent once both have ended. */
export interface WalkResult {
  readonly kind: 'walked'
  readonly total: number
  readonly version: string
  /** Of the snapshot walk; it has been compared. */
  readonly checksum: string | undefined
  /** The objects that were there before and after, and did not come: by their number in the snapshot. */
  readonly missed: readonly number[]
  readonly repeated: number
  /** The commits of others meanwhile, from the change feed. */
  readonly changed: number
  readonly inserted: number
  readonly deleted: number
}

export interface ExportProgress {
  readonly kind: 'progress'
  readonly objects: number
}

export interface ExportResult {
  readonly kind: 'exported'
  readonly objects: number
  readonly version: string | undefined
  /** Absent where only some objects were asked for. Where it is, it has been compared. */
  readonly checksum: string | undefined
  readonly file: Blob
}

export interface ReaderFailure {
  readonly kind: 'failed'
  readonly name: string
  readonly sentence: string
}
