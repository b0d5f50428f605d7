import { sharedRowBuffers, type RowBuffers } from '@octavo/pg-bytes'
import { limits } from '@octavo/protocol'
import type { Observe } from '../../../observe/observation.ts'
import type { Database } from '../../../postgres/database.ts'
import { pageQueries, type PageQueries } from '../../sql/page-shapes.ts'
import { lruCache, type LruCache } from '../../../base/lru-cache.ts'
import type { PageClock } from './page-clock.ts'
import { replicaChoice, type ReplicaChoice } from './replica-choice.ts'
import { stretchLengths, type StretchLengths } from './stretch-lengths.ts'

/** What reading rows needs. */
export interface RowSources {
  readonly database: Database
  readonly replicas: ReplicaChoice
  readonly buffers: RowBuffers
  readonly pageQueries: PageQueries
  /** What this process last saw of each type. */
  readonly seen: Map<string, SeenObjects>
  /** The epoch that began with the commit of a version, by table, version and tag. */
  readonly epochs: LruCache<number>
  readonly stretchLengths: StretchLengths
  /** If more objects match on the other side of a link, their keys are not looked up first. */
  readonly mostLinkedKeys: number
  readonly observe: Observe
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

/** The epochs of history are among it (history-epochs.ts). */
export interface SeenObjects extends Pick<PageClock, 'epoch'> {
  /** The newest version, as far as this process knows. */
  readonly version: string
  /** The size of the type's largest object: tells whether a page could exceed the byte budget. */
  readonly largest: number
  /** The average size of a record: tells how much room a page will probably need. */
  readonly recordBytes: number
  /** How many pages are still to be written with escapes; set after a page that needed them. */
  readonly pagesWithEscapes: number
}

export const nothingSeen: SeenObjects = {
  version: '',
  largest: 0,
  recordBytes: 0,
  pagesWithEscapes: 0,
  epoch: 0,
}

/** How many versions' epochs are remembered: of the walks that are under way. */
const mostVersions = 10_000

type Chosen = Pick<
  RowSources,
  'replicas' | 'seen' | 'stretchLengths' | 'mostLinkedKeys' | 'elapsed' | 'observe'
>

/** The sources of a process that has read nothing yet, unless `some` says otherwise. */
export function rowSourcesOf(database: Database, some: Partial<Chosen> = {}): RowSources {
  const elapsed = some.elapsed ?? (() => performance.now())
  return {
    database,
    replicas: some.replicas ?? replicaChoice([], elapsed),
    buffers: sharedRowBuffers,
    pageQueries: pageQueries(),
    seen: some.seen ?? new Map(),
    epochs: lruCache(mostVersions),
    stretchLengths: some.stretchLengths ?? stretchLengths,
    mostLinkedKeys: some.mostLinkedKeys ?? limits.query.inValues,
    elapsed,
    observe: some.observe ?? (() => {}),
  }
}
