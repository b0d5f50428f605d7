import type { Database } from '../postgres/database.ts'

export interface RowSources {
  readonly database: Database
  /** The size of the largest object seen of each type: what says whether a page could pass the byte budget. */
  readonly largestSeen: Map<string, number>
  /** Milliseconds on a clock that only goes forward. */
  readonly elapsed: () => number
}
