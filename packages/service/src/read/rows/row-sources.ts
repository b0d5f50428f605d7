import { sharedRowBuffers, type RowBuffers } from '@octavo/pg-bytes'
import type { Database } from '../../postgres/database.ts'
import { pageQueries, type PageQueries } from '../sql/page-shapes.ts'
import { stretchLengths, type StretchLengths } from './stretch-lengths.ts'

export interface RowSources {
  readonly database: Database
  readonly buffers: RowBuffers
  readonly pageQueries: PageQueries
  /** What the last pages of each type were like. */
  readonly seen: Map<string, SeenObjects>
  readonly stretchLengths: StretchLengths
  /** Milliseconds on a clock that only goes forward. */
  readonly elapsed: () => number
}

export interface SeenObjects {
  /** The newest one, as far as this process knows. */
  readonly version: string
  /** What says whether a page could pass the byte budget. */
  readonly largest: number
  /** On average: how much room a page will probably need. */
  readonly recordBytes: number
  /** How many pages are still written with escapes: some, after one that needed them. */
  readonly pagesWithEscapes: number
}

export const nothingSeen: SeenObjects = { version: '', largest: 0, recordBytes: 0, pagesWithEscapes: 0 }

type Chosen = Pick<RowSources, 'seen' | 'stretchLengths' | 'elapsed'>

/** Of a process that has read nothing yet, unless it is said otherwise. */
export function rowSourcesOf(database: Database, some: Partial<Chosen> = {}): RowSources {
  return {
    database,
    buffers: sharedRowBuffers,
    pageQueries: pageQueries(),
    seen: some.seen ?? new Map(),
    stretchLengths: some.stretchLengths ?? stretchLengths,
    elapsed: some.elapsed ?? (() => performance.now()),
  }
}
