// A request for a page or a count, from either revision.
import type { OrderDirection, PageSizes, Query } from '@octavo/protocol'

export interface ModelOrderKey {
  readonly property: string
  readonly direction: OrderDirection
}

/** The state that a snapshot token names. */
export interface NamedState {
  readonly version: number
  /** The same for all tokens that name this state of the type (P244). */
  readonly identity: string
}

export interface ModelAsk {
  readonly endpoint: 'listObjects' | 'searchObjects' | 'countObjects'
  readonly sizes: PageSizes
  readonly objectType: string
  /** As sent; a step converts it to a number. */
  readonly pageSize: unknown
  readonly pageToken: unknown
  readonly snapshot: boolean
  /** As sent; a step opens it. */
  readonly snapshotToken: unknown
  /** Undefined until the token is opened, and if there is none. */
  readonly named?: NamedState
  readonly orderBy: readonly ModelOrderKey[]
  readonly select: readonly string[] | undefined
  readonly query: Query
  /** Whether the query followed links before they were resolved. */
  readonly followsLinks?: boolean
}

/** The parts of the request that must stay the same from page to page. */
export const identityOf = (ask: ModelAsk): Readonly<Record<string, string>> => ({
  endpoint: ask.endpoint,
  objectType: ask.objectType,
  query: canonical(ask.query),
  orderBy: canonical(ask.orderBy),
  select: canonical(ask.select ?? null),
  snapshot: ask.named?.identity ?? String(ask.snapshot),
})

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
