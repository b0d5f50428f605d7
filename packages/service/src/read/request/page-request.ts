import type { OrderDirection, Query } from '@octavo/protocol'
import type { PropertyFilter } from './parse-property-filters.ts'

/** What a request for a page asks, in whichever revision it was written. */
export interface PageRequest {
  readonly endpoint: PageEndpoint
  readonly pageSize: number
  readonly pageToken: string | undefined
  readonly snapshot: boolean
  readonly orderBy: readonly WantedKey[]
  /** The properties to return; all of them when undefined. */
  readonly select: readonly string[] | undefined
  readonly query: Query
  /** Of revision 1.0; once the object type is known they become the query. */
  readonly filters: readonly PropertyFilter[]
}

export type PageEndpoint = 'listObjects' | 'searchObjects'

export interface WantedKey {
  readonly property: string
  readonly direction: OrderDirection
}
