import type { OrderDirection, Query } from '@octavo/protocol'

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
}

export type PageEndpoint = 'listObjects' | 'searchObjects'

export interface WantedKey {
  readonly property: string
  readonly direction: OrderDirection
}
