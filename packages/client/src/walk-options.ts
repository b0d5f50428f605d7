import type { ObjectTypeShape, OrderBy } from './query/object-type-shape.ts'
import type { WalkSettings } from './walk/walk.ts'

export interface ReadOptions {
  readonly signal?: AbortSignal
}

export interface ListOptions extends ReadOptions {
  /** Objects per page. The default is 1,000, the most that Octavo sends. A page may always be smaller. */
  readonly pageSize?: number
  /** How many pages are prefetched: 1 by default, 0 for none, at most 8. */
  readonly readAhead?: number
}

export interface WalkOptions<Type extends ObjectTypeShape, Name extends string> extends ListOptions {
  /** Read a single state of the collection, regardless of concurrent writes. The default is false. */
  readonly snapshot?: boolean
  /** The default is the primary key. */
  readonly orderBy?: OrderBy<Type>
  /** Return only these properties, and the primary key. */
  readonly select?: readonly Name[]
  /**
   * What to do when the service no longer keeps the snapshot. The default is `fail`. `restart` returns all objects again.
   */
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
