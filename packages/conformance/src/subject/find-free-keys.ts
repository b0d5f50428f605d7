// Primary keys that the kit may write: before its first write it has seen in three ways that no object has them. A server that sorts, filters
// or pages wrongly must not make it overwrite or delete objects of somebody else.
import { pageSizes, type ScalarValue } from '@octavo/protocol'
import type { Exchange, Sent } from '../exchange/exchange.ts'
import { compareValues } from './compare-values.ts'
import type { FreeKeys } from './free-keys.ts'
import { keyAfter } from './keys-after-all.ts'
import { pageRequest, type Filter } from './page-request.ts'
import { sizesOf } from './read-page.ts'
import type { Subject } from './subject.ts'
import { baseSet, loadRequest, setOfKeys } from './v2-page.ts'
import { isObject, isPage } from './wire-page.ts'

/** The kit has written nothing, because it might have changed objects that it did not create. The message says what it saw. */
export class NotSafeToWrite extends Error {
  constructor(saw: string, { sent, status, text }: Exchange) {
    super(
      `Nothing was written, because the kit might have changed objects that it did not create: ${saw}.\nThe last request was ${sent.method} ${sent.path} ${sent.body ?? ''}, answered ${status} ${text.slice(0, 300)}\nWithout a writer (--writer-url, --writer-command) the kit only reads.`,
    )
  }
}

const mostKeys = 100
/** Short enough for a query string, and with room for the key of an object that exists. */
const askedAtOnce = 20
const mostPages = 2_500
const descendingSize = 10

export async function findFreeKeys(subject: Subject): Promise<FreeKeys> {
  const { scalar } = subject.type.key
  const { keys: present, last } = await everyKey(subject)
  const compare = (a: ScalarValue, b: ScalarValue) => compareValues(scalar, a, b)
  const descending = present.toSorted((a, b) => compare(b, a))
  const [greatest] = descending
  if (greatest === undefined) throw new NotSafeToWrite('the type has become empty', last)
  await demandDescending(subject, descending)
  const keys = Array.from({ length: mostKeys }, (_, number) => keyAfter(scalar, greatest, number))
  for (let from = 0; from < keys.length; from += askedAtOnce) {
    await demandFree(subject, keys.slice(from, from + askedAtOnce), greatest)
  }
  return { greatest, keys }
}

interface EveryKey {
  readonly keys: readonly ScalarValue[]
  readonly last: Exchange
}

async function everyKey(subject: Subject): Promise<EveryKey> {
  const keys = new Map<string, ScalarValue>()
  let pageToken: string | undefined
  for (let pages = 1; ; pages += 1) {
    const { maximum } =
      subject.collection.revision === 'v2' ? pageSizes.listObjects : sizesOf(subject.collection.revision)
    const exchange = await subject.send(
      request(subject, { pageSize: maximum, ...(pageToken && { pageToken }) }),
    )
    for (const key of keysIn(subject, exchange)) keys.set(JSON.stringify(key), key)
    const next = isObject(exchange.body) ? exchange.body['nextPageToken'] : undefined
    if (typeof next !== 'string' || next === '') return { keys: [...keys.values()], last: exchange }
    if (pages >= mostPages || next === pageToken) {
      throw new NotSafeToWrite(`the walk over all objects has not ended after ${pages} pages`, exchange)
    }
    pageToken = next
  }
}

/** `sorted` are the keys of all objects, the greatest first. */
async function demandDescending(subject: Subject, sorted: readonly ScalarValue[]): Promise<void> {
  const exchange = await subject.send(request(subject, { pageSize: descendingSize, descending: true }))
  const found = keysIn(subject, exchange)
  const wanted = sorted.slice(0, found.length)
  if (found.length > 0 && JSON.stringify(found) === JSON.stringify(wanted)) return
  throw new NotSafeToWrite(
    `in the descending order of ${subject.type.key.name} came ${listed(found)}, where a walk over all objects makes it ${listed(sorted.slice(0, descendingSize))}`,
    exchange,
  )
}

/** One key of an object that exists is asked for beside them: a server that never finds anything proves nothing. */
async function demandFree(
  subject: Subject,
  keys: readonly ScalarValue[],
  existing: ScalarValue,
): Promise<void> {
  const asked = [existing, ...keys]
  const exchange = await subject.send(request(subject, { pageSize: asked.length, among: asked }))
  const found = keysIn(subject, exchange)
  if (JSON.stringify(found) === JSON.stringify([existing])) return
  throw new NotSafeToWrite(
    `of the keys ${listed(asked)} only the first should exist, and objects came with ${listed(found)}`,
    exchange,
  )
}

interface Question {
  readonly pageSize: number
  readonly pageToken?: string
  readonly descending?: boolean
  readonly among?: readonly ScalarValue[]
}

function request(subject: Subject, { among, descending, ...page }: Question): Sent {
  const { collection, type } = subject
  const property = type.key.name
  if (collection.revision === 'v2') {
    return loadRequest(collection, {
      ...page,
      objectSet: among === undefined ? baseSet(collection) : setOfKeys(subject, among),
      ...(descending && { orderBy: { fields: [{ field: property, direction: 'desc' }] } }),
    })
  }
  const filter: Filter | undefined = among && { kind: 'anyOf', property, values: among }
  const orderBy = descending ? [{ property, direction: 'desc' as const }] : undefined
  return pageRequest(collection, { ...page, filter, orderBy })
}

function keysIn({ collection, type }: Subject, exchange: Exchange): readonly ScalarValue[] {
  const { body, status } = exchange
  if (status !== 200 || !isPage(body)) throw new NotSafeToWrite('a page of it could not be read', exchange)
  return body.data.map((record) => {
    const properties =
      collection.revision === 'v2' ? record : isObject(record) ? record['properties'] : undefined
    const key = isObject(properties) ? properties[type.key.name] : undefined
    if (typeof key === 'string' || typeof key === 'number') return key
    throw new NotSafeToWrite(`an object came without its primary key ${type.key.name}`, exchange)
  })
}

const listed = (keys: readonly ScalarValue[]): string =>
  keys.length === 0
    ? 'none'
    : `${keys
        .slice(0, 5)
        .map((key) => JSON.stringify(key))
        .join(', ')}${keys.length > 5 ? ', ...' : ''}`
