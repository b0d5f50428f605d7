import type { Database } from '../postgres/database.ts'
import type { RowBuffers } from '../postgres/row-buffers.ts'
import type { PageQueries } from '../sql/page-shapes.ts'

export interface RowSources {
  readonly database: Database
  readonly buffers: RowBuffers
  readonly pageQueries: PageQueries
  /** What the last pages of each type were like. */
  readonly seen: Map<string, SeenObjects>
  /** Milliseconds on a clock that only goes forward. */
  readonly elapsed: () => number
}

export interface SeenObjects {
  /** What says whether a page could pass the byte budget. */
  readonly largest: number
  /** On average: how much room a page will probably need. */
  readonly recordBytes: number
  /** How many pages are still written with escapes: some, after one that needed them. */
  readonly pagesWithEscapes: number
}
