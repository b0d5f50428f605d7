// Reads a page and checks what must be true of every page, in any case.
import { limits, pageSizes } from '@octavo/protocol'
import { demand } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { SendOptions } from '../exchange/send.ts'
import type { RevisionName } from '../exchange/collection.ts'
import type { Extra, PageAsk } from './page-request.ts'
import { askForPage, type Subject } from './subject.ts'
import { isObject, isPage, type WirePage } from './wire-page.ts'

export interface ReadPage {
  readonly page: WirePage
  readonly exchange: Exchange
}

const tokenText = new RegExp(`^[A-Za-z0-9_-]{1,${limits.pageToken.characters}}$`)

export const sizesOf = (revision: RevisionName) =>
  revision === '1.0' ? pageSizes.listObjects : pageSizes.search

/** `clause` is the clause that is broken if the request is refused. */
export async function readPage(
  subject: Subject,
  clause: string,
  ask: PageAsk = {},
  options: SendOptions & { readonly extra?: Extra } = {},
): Promise<ReadPage> {
  const exchange = await askForPage(subject, ask, options)
  demand(exchange.status === 200, { clause, expected: 'a page with status 200', exchange })
  return { page: pageOf(exchange, subject.collection.revision, ask.pageSize), exchange }
}

/** Checks P1, P2, P4, P5, P10, P19 and P20. */
export function pageOf(exchange: Exchange, revision: RevisionName, pageSize?: unknown): WirePage {
  const { body } = exchange
  demand(isPage(body), { clause: 'P1', expected: 'a JSON object whose field data is an array', exchange })
  const page = checkedToken(exchange, body, revision)
  const { data, nextPageToken } = page
  demand(data.length > 0 || nextPageToken === undefined, {
    clause: 'P5',
    expected: 'at least one object in a page that has a nextPageToken',
    exchange,
  })
  const sizes = sizesOf(revision)
  const asked = typeof pageSize === 'number' ? pageSize : sizes.default
  const most = Math.min(asked, sizes.maximum)
  demand(data.length <= most, {
    clause: asked > sizes.maximum ? 'P20' : 'P19',
    expected: `at most ${most} objects`,
    found: `${data.length} objects`,
    exchange,
  })
  return page
}

/** Removes `"nextPageToken": null`, which a server of revision 1.0 may send (P4). */
export function checkedToken(
  exchange: Exchange,
  body: { readonly data: readonly unknown[] },
  revision: RevisionName,
): WirePage {
  if (!isObject(body) || !('nextPageToken' in body)) return body as WirePage
  const { nextPageToken, ...rest } = body
  if (nextPageToken === null) {
    demand(revision === '1.0', {
      clause: 'P4',
      expected: 'no field nextPageToken on the last page, not even null',
      exchange,
    })
    return rest as unknown as WirePage
  }
  demand(typeof nextPageToken === 'string' && nextPageToken !== '', {
    clause: 'P2',
    expected: 'nextPageToken to be a non-empty string, or no such field',
    exchange,
  })
  demand(tokenText.test(nextPageToken), {
    clause: 'P10',
    expected: `a page token of letters, digits, - and _, at most ${limits.pageToken.characters} characters`,
    found: `${nextPageToken.length} characters`,
    exchange,
  })
  return body as unknown as WirePage
}
