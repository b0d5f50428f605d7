import { sharedRowBuffers, type RowBuffers } from '@octavo/pg-bytes'
import { limits } from '@octavo/protocol'
import type { Observe } from '../../../observe/observation.ts'
import type { Database } from '../../../postgres/database.ts'
import { pageQueries, type PageQueries } from '../../sql/page-shapes.ts'
import { lruCache, type LruCache } from '../../../base/lru-cache.ts'
import type { PageClock } from './page-clock.ts'
import { replicaChoice, type ReplicaChoice } from './replica-choice.ts'

/** What reading rows needs. */
export interface RowSources {
  readonly database: Database
  readonly replicas: ReplicaChoice
  readonly buffers: RowBuffers
  readonly pageQueries: PageQueries
  /** By the name of the table of current objects. */
  readonly lastRead: Map<string, LastRead>
  /** The epoch that began with the commit of a version, by table, version and tag. */
  readonly epochs: LruCache<number>
  readonly stretchLengths: StretchLengths
  /** If more objects match on the other side of a link, their keys are not looked up first. */
  readonly mostLinkedKeys: number
  readonly observe: Observe
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

/** What this process last read of a type. Each is an assumption, which the next statement proves or disproves. */
export interface LastRead extends Pick<PageClock, 'version' | 'epoch'> {
  /** The size of the type's largest object: says whether a page could exceed the byte budget. */
  readonly largest: number
  /** The average size of a record: says how much room a page will probably need. */
  readonly recordBytes: number
  /** How many pages are still to be written with escapes; set after a page that needed them. */
  readonly pagesWithEscapes: number
}

export const nothingRead: LastRead = {
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
  'replicas' | 'lastRead' | 'stretchLengths' | 'mostLinkedKeys' | 'elapsed' | 'observe'
>

/** The sources of a process that has read nothing yet, unless `chosen` says otherwise. */
export function rowSourcesOf(database: Database, chosen: Partial<Chosen> = {}): RowSources {
  const elapsed = chosen.elapsed ?? (() => performance.now())
  return {
    database,
    replicas: replicaChoice([], elapsed),
    buffers: sharedRowBuffers,
    pageQueries: pageQueries(),
    lastRead: new Map(),
    epochs: lruCache(mostVersions),
    stretchLengths,
    mostLinkedKeys: limits.query.inValues,
    elapsed,
    observe: () => {},
    ...chosen,
  }
}

/**
 * How many rows a statement reads at most where each has to be checked. The lengths are literals in the text of the statement, like the
 * steps of a page, so there are only a few of them.
 */
export interface StretchLengths {
  /** Used one after the other while matches are rare; then the last one repeats. */
  readonly usual: readonly number[]
  /** Used where all rows of a stretch are versions of one object. */
  readonly longer: readonly number[]
}

const stretchLengths: StretchLengths = { usual: [1_000, 10_000, 50_000], longer: [500_000, 5_000_000] }
