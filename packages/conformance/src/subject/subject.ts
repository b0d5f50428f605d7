// What a case runs on: a server, one of its collections, and what the survey found out about both.
import type { ScalarValue } from '@octavo/protocol'
import type { Exchange, Sent } from '../exchange/exchange.ts'
import type { Send, SendOptions } from '../exchange/send.ts'
import type { Sockets } from '../exchange/sockets.ts'
import type { Writer } from '../writer/writer.ts'
import type { FreeKeys } from './free-keys.ts'
import type { KnownType } from './known-type.ts'
import type { Collection } from '../exchange/collection.ts'
import { pageRequest, type Extra, type PageAsk } from './page-request.ts'
import type { WireRecord } from './wire-page.ts'

/** What the user may provide besides the URL; each one makes more cases possible. */
export interface Gifts {
  /** The token of a second caller who may read the type. */
  readonly otherToken?: string | undefined
  /** Another instance of the same deployment. */
  readonly otherUrl?: string | undefined
  /** An expired page token of the plain first page. */
  readonly expiredPageToken?: string | undefined
  /** The life of page tokens on this server, if it is short enough to wait for. */
  readonly tokenLifeSeconds?: number | undefined
  /** A page token of a snapshot walk whose snapshot is no longer kept. */
  readonly goneSnapshotToken?: string | undefined
  /** A snapshot token of a state whose changes are no longer known. */
  readonly expiredSnapshotToken?: string | undefined
}

export interface Subject extends Gifts {
  readonly collection: Collection
  readonly send: Send
  readonly sockets: Sockets
  readonly writer: Writer | undefined
  /** The keys that the writer may write; known where there is one. */
  readonly freeKeys?: FreeKeys
  readonly type: KnownType
  /** The first objects in the order of the primary key, at most a thousand. */
  readonly sample: readonly WireRecord[]
  /** Whether the sample is the whole collection. */
  readonly isWhole: boolean
  /** Another type of the same ontology, if there is one. */
  readonly otherType: string | undefined
}

export const askForPage = (
  { collection, send }: Pick<Subject, 'collection' | 'send'>,
  ask: PageAsk = {},
  options: SendOptions & { readonly extra?: Extra } = {},
): Promise<Exchange> => send(pageRequest(collection, ask, options.extra), options)

export const requestOf = ({ collection }: Subject, ask: PageAsk, extra?: Extra): Sent =>
  pageRequest(collection, ask, extra)

export const keyOf = ({ type }: Pick<Subject, 'type'>, record: WireRecord): ScalarValue => {
  const value = record.properties[type.key.name]
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value ?? null)
}
