// What a request for a page asks, whichever revision it came in.
import type { OrderDirection, PageSizes, Query } from '@octavo/protocol'

export interface ModelOrderKey {
  readonly property: string
  readonly direction: OrderDirection
}

export interface ModelAsk {
  readonly endpoint: 'listObjects' | 'searchObjects'
  readonly sizes: PageSizes
  readonly objectType: string
  /** As it was sent; a step makes a number of it. */
  readonly pageSize: unknown
  readonly pageToken: unknown
  readonly snapshot: boolean
  readonly orderBy: readonly ModelOrderKey[]
  readonly select: readonly string[] | undefined
  readonly query: Query
}

/** What must stay the same from page to page, part by part. */
export const identityOf = (ask: ModelAsk): Readonly<Record<string, string>> => ({
  endpoint: ask.endpoint,
  objectType: ask.objectType,
  query: canonical(ask.query),
  orderBy: canonical(ask.orderBy),
  select: canonical(ask.select ?? null),
  snapshot: String(ask.snapshot),
})

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
