// Reads a collection page by page, as a client does.
import { demand } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { SendOptions } from '../exchange/send.ts'
import type { Extra, PageAsk } from './page-request.ts'
import { readPage, type ReadPage } from './read-page.ts'
import { keyOf, type Subject } from './subject.ts'
import type { WirePage, WireRecord } from './wire-page.ts'

export interface WalkOptions {
  /** The clause that is broken if a page is refused, or if the walk does not end. */
  readonly clause: string
  readonly ask?: Omit<PageAsk, 'pageSize' | 'pageToken'>
  /** The page token of the first page, where the walk begins with one. */
  readonly from?: string
  /** Another caller, or another instance. */
  readonly as?: SendOptions
  /** Fields beyond those of `PageAsk`, such as another query. */
  readonly extra?: Extra
  /** Used one after another, the last one for all further pages; without it no page size is sent. */
  readonly pageSizes?: readonly number[]
  /** Called after each page that has a token. Its changes may empty the rest of the collection. */
  readonly betweenPages?: (pagesRead: number) => Promise<void>
  /** The number of objects, if the case knows it; then the case itself judges a walk that ends early. */
  readonly knownObjects?: number
  /** Ends the walk early, once it has this many objects. */
  readonly untilObjects?: number
}

export interface Walk {
  readonly pages: readonly WirePage[]
  readonly records: readonly WireRecord[]
  readonly last: Exchange
  readonly isFinished: boolean
}

const mostPages = 2_500

export async function readWalk(subject: Subject, options: WalkOptions): Promise<Walk> {
  const { clause, ask, from, as, extra, pageSizes = [], betweenPages, knownObjects = 0 } = options
  const { untilObjects = Number.POSITIVE_INFINITY } = options
  const pages: WirePage[] = []
  const records: WireRecord[] = []
  for (let token = from; ;) {
    const pageSize = pageSizes[Math.min(pages.length, pageSizes.length - 1)]
    const wanted: PageAsk = {
      ...ask,
      ...(pageSize !== undefined && { pageSize }),
      ...(token !== undefined && { pageToken: token }),
    }
    const { page, exchange }: ReadPage = await readPage(subject, clause, wanted, {
      ...as,
      ...(extra && { extra }),
    })
    // Only a walk whose remaining objects were deleted meanwhile may end like this (P5).
    const mayBeEmpty = pages.length === 0 || betweenPages !== undefined || records.length < knownObjects
    demand(page.data.length > 0 || mayBeEmpty, {
      clause: 'P3',
      expected: 'no nextPageToken on the page before this one, since nothing came after it',
      exchange,
    })
    pages.push(page)
    records.push(...page.data)
    token = page.nextPageToken
    if (token === undefined || records.length >= untilObjects) {
      return { pages, records, last: exchange, isFinished: token === undefined }
    }
    demand(pages.length < mostPages, {
      clause,
      expected: `the walk to end within ${mostPages} pages`,
      exchange,
    })
    await betweenPages?.(pages.length)
  }
}

export const keysOf = (subject: Subject, records: readonly WireRecord[]) =>
  records.map((record) => keyOf(subject, record))

/** Describes where two lists of keys differ; undefined if they are equal. */
export function difference(found: readonly unknown[], expected: readonly unknown[]): string | undefined {
  const repeated = found.filter((key, i) => found.indexOf(key) !== i)
  const wanted = new Set(expected)
  const had = new Set(found)
  const missing = expected.filter((key) => !had.has(key))
  const foreign = found.filter((key) => !wanted.has(key))
  if (missing.length > 0) return `${some(missing)} missing`
  if (repeated.length > 0) return `${some(repeated)} returned twice`
  if (foreign.length > 0) return `${some(foreign)} that should not be there`
  const at = found.findIndex((key, i) => key !== expected[i])
  return at === -1
    ? undefined
    : `${JSON.stringify(found[at])} at position ${at + 1}, where ${JSON.stringify(expected[at])} belongs`
}

const some = (keys: readonly unknown[]): string =>
  `${keys.length} of ${keys.length === 1 ? 'them' : 'the objects'} (${keys
    .slice(0, 3)
    .map((key) => JSON.stringify(key))
    .join(', ')}${keys.length > 3 ? ', ...' : ''})`
