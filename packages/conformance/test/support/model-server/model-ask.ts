// A request for a page, from either revision.
import type { OrderDirection, PageSizes, Query } from '@octavo/protocol'

export interface ModelOrderKey {
  readonly property: string
  readonly direction: OrderDirection
}

export interface ModelAsk {
  readonly endpoint: 'listObjects' | 'searchObjects'
  readonly sizes: PageSizes
  readonly objectType: string
  /** As sent; a step converts it to a number. */
  readonly pageSize: unknown
  readonly pageToken: unknown
  readonly snapshot: boolean
  readonly orderBy: readonly ModelOrderKey[]
  readonly select: readonly string[] | undefined
  readonly query: Query
}

/** The parts of the request that must stay the same from page to page. */
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
