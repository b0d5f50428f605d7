import type { ObjectTypeShape, OrderBy } from './object-type-shape.ts'
import type { WalkSettings } from './walk/walk.ts'

export interface ReadOptions {
  readonly signal?: AbortSignal
}

export interface ListOptions extends ReadOptions {
  /** 1,000 unless set, the most that Octavo sends. A page may always be smaller. */
  readonly pageSize?: number
  /** How many pages are fetched before they are asked for: 1 unless set, 0 for none, at most 8. */
  readonly readAhead?: number
}

export interface WalkOptions<Type extends ObjectTypeShape, Name extends string> extends ListOptions {
  /** Read one state of the collection, whatever is written meanwhile. False unless set. */
  readonly snapshot?: boolean
  /** By the primary key unless set. */
  readonly orderBy?: OrderBy<Type>
  /** Return only these properties, and the primary key. */
  readonly select?: readonly Name[]
  /** What to do when the snapshot is no longer kept: `fail` unless set. After a restart all objects come again. */
  readonly onSnapshotGone?: 'restart' | 'fail'
}

const mostReadAhead = 8

export const walkSettings = ({
  signal,
  readAhead = 1,
  onSnapshotGone = 'fail',
}: ListOptions & { readonly onSnapshotGone?: 'restart' | 'fail' } = {}): WalkSettings => ({
  signal,
  readAhead: Math.min(Math.max(0, Math.trunc(readAhead)), mostReadAhead),
  onSnapshotGone,
})

export const largestPage = 1_000
