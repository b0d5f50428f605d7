import type { OrderDirection, Query } from '@octavo/protocol'
import type { PropertyFilter } from './parse-property-filters.ts'

/** A request for a page, the same for both revisions. */
export interface PageRequest {
  readonly endpoint: PageEndpoint
  readonly pageSize: number
  readonly pageToken: string | undefined
  readonly snapshot: boolean
  /** Names the state to read; only with `snapshot`. */
  readonly snapshotToken?: string | undefined
  readonly orderBy: readonly WantedKey[]
  /** The properties to return; all of them when undefined. */
  readonly select: readonly string[] | undefined
  readonly query: Query
  /** The filters of revision 1.0. They become the query once the object type is known. */
  readonly filters: readonly PropertyFilter[]
}

export type PageEndpoint = 'listObjects' | 'searchObjects'

export interface WantedKey {
  readonly property: string
  readonly direction: OrderDirection
}
