// Pages of revision v2: flat records, an exact total on each page, and on the last one no token at all.
import { limits, type ScalarValue } from '@octavo/protocol'
import { demand, shown } from '../clauses/clause-failure.ts'
import type { Exchange, Sent } from '../exchange/exchange.ts'
import type { Collection } from '../exchange/collection.ts'
import { postRequest } from './page-request.ts'
import { keyOf, type Subject } from './subject.ts'
import { isObject, isPage, type WireRecord } from './wire-page.ts'

export type FlatRecord = Readonly<Record<string, unknown>>

export interface V2Page {
  readonly records: readonly FlatRecord[]
  readonly nextPageToken: string | undefined
  readonly totalCount: string
  readonly exchange: Exchange
}

export const v2Path = ({ ontology }: Collection, rest = ''): string =>
  `/api/v2/ontologies/${encodeURIComponent(ontology)}${rest}`

export const v2TypePath = (collection: Collection, rest = ''): string =>
  v2Path(collection, `/objects/${encodeURIComponent(collection.objectType)}${rest}`)

export const baseSet = ({ objectType }: Collection): object => ({ type: 'base', objectType })

/** The objects of the type with these keys. */
export const setOfKeys = ({ collection, type }: Subject, keys: readonly ScalarValue[]): object => ({
  type: 'filter',
  objectSet: baseSet(collection),
  where: { type: 'in', field: type.key.name, value: keys },
})

/** A request for the objects of a set; every value is sent unchanged. */
export const loadRequest = (collection: Collection, body: object): Sent =>
  postRequest(v2Path(collection, '/objectSets/loadObjects'), {
    objectSet: baseSet(collection),
    select: [],
    ...body,
  })

/** `clause` is the clause that is broken if the request is refused. */
export const loadPage = async (subject: Subject, clause: string, body: object = {}): Promise<V2Page> =>
  v2PageOf(subject, clause, await subject.send(loadRequest(subject.collection, body)))

const tokenText = new RegExp(`^[A-Za-z0-9_-]{1,${limits.pageToken.characters}}$`)

/** Checks what must be true of every page: P1, P5, P10, P334, P335 and P336. */
export function v2PageOf(subject: Subject, clause: string, exchange: Exchange): V2Page {
  const { body } = exchange
  demand(exchange.status === 200, { clause, expected: 'a page with status 200', exchange })
  demand(isObject(body) && isPage(body), {
    clause: 'P1',
    expected: 'a JSON object whose field data is an array',
    exchange,
  })
  const { nextPageToken, totalCount } = body as Readonly<Record<string, unknown>>
  const hasToken = 'nextPageToken' in body
  demand(!hasToken || (typeof nextPageToken === 'string' && nextPageToken !== ''), {
    clause: 'P335',
    expected: 'a nextPageToken that is a non-empty string, or no such field, not even null',
    found: shown(nextPageToken),
    exchange,
  })
  demand(!hasToken || tokenText.test(String(nextPageToken)), {
    clause: 'P10',
    expected: 'a page token of letters, digits, - and _',
    exchange,
  })
  demand(!hasToken || body.data.length > 0, {
    clause: 'P5',
    expected: 'at least one object in a page that has a nextPageToken',
    exchange,
  })
  demand(typeof totalCount === 'string' && /^[0-9]+$/.test(totalCount), {
    clause: 'P336',
    expected: 'totalCount as a string of digits on every page',
    found: shown(totalCount),
    exchange,
  })
  const records = body.data.map((record) => checkedRecord(subject, record, exchange))
  return {
    records,
    nextPageToken: typeof nextPageToken === 'string' ? nextPageToken : undefined,
    totalCount,
    exchange,
  }
}

/** Clients load what they know of a type by `__apiName`, and compare keys with those of other objects. */
export function checkedRecord(
  { collection, sample, type }: Subject,
  record: unknown,
  exchange: Exchange,
): FlatRecord {
  demand(isObject(record), { clause: 'P334', expected: 'records that are JSON objects', exchange })
  demand(record['__apiName'] === collection.objectType, {
    clause: 'P334',
    expected: `__apiName "${collection.objectType}", the type of the object`,
    found: shown(record['__apiName']),
    exchange,
  })
  const key = record['__primaryKey']
  const [known] = sample
  demand(known === undefined || typeof key === typeof known.properties[type.key.name], {
    clause: 'P334',
    expected: '__primaryKey with the JSON type of its property',
    found: shown(key),
    exchange,
  })
  demand(record[type.key.name] === key, {
    clause: 'P334',
    expected: `the primary key as the property ${type.key.name}, too`,
    found: shown(record[type.key.name]),
    exchange,
  })
  return record
}

export interface V2Walk {
  readonly keys: readonly unknown[]
  readonly last: V2Page
}

/** Follows the tokens of a set to the end. */
export async function loadWalk(subject: Subject, clause: string, body: object): Promise<V2Walk> {
  const keys: unknown[] = []
  const tokens = new Set<string>()
  let page = await loadPage(subject, clause, body)
  for (;;) {
    demand(page.records.length > 0 || tokens.size === 0, {
      clause: 'P335',
      expected: 'no nextPageToken on the page before, which had the last object',
      exchange: page.exchange,
    })
    keys.push(...page.records.map((record) => record['__primaryKey']))
    const { nextPageToken: pageToken } = page
    if (pageToken === undefined || keys.length >= 2_000) return { keys, last: page }
    demand(!tokens.has(pageToken), { clause: 'P335', expected: 'a new token', exchange: page.exchange })
    tokens.add(pageToken)
    page = await loadPage(subject, clause, { ...body, pageToken })
  }
}

/** Compared without regard to the order, which the server chooses for a set with conditions (P41). */
export function demandKeys(
  found: V2Walk,
  expected: readonly unknown[],
  { clause, what }: { readonly clause: string; readonly what: string },
): void {
  const text = (keys: readonly unknown[]) => keys.map((key) => JSON.stringify(key)).toSorted()
  const [has, wants] = [text(found.keys), text(expected)]
  demand(has.join() === wants.join(), {
    clause,
    expected: `${what}: ${wants.length} objects with the keys ${wants.slice(0, 5).join(', ')}`,
    found: `${has.length} objects with the keys ${has.slice(0, 5).join(', ')}`,
    exchange: found.last.exchange,
  })
}

/** The keys of some objects, evenly spread over the sample. */
export function spreadKeys(subject: Subject, count: number): readonly ScalarValue[] {
  const { sample } = subject
  return Array.from({ length: count }, (_, i) => sample[Math.floor((i * sample.length) / count)])
    .filter((record): record is WireRecord => record !== undefined)
    .map((record) => keyOf(subject, record))
}
