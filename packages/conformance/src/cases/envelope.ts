import { limits } from '@octavo/protocol'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Case } from './case.ts'
import { filterFor, inOrder, spreadObjects } from '../subject/chosen-objects.ts'
import { getRequest, objectTypesPath } from '../subject/page-request.ts'
import { checkedToken, readPage, sizesOf } from '../subject/read-page.ts'
import { difference, keysOf, readWalk } from '../subject/read-walk.ts'
import { requestOf, type Subject } from '../subject/subject.ts'
import { isObject, isPage } from '../subject/wire-page.ts'
import { unusedKey } from '../subject/keys-after-all.ts'

export const envelopeCases: readonly Case[] = [
  {
    clause: 'P1',
    title: 'data is an array, even if nothing matches',
    run: async (subject) => {
      const { key } = subject.type
      const filter = { kind: 'anyOf', property: key.name, values: [await unusedKey(subject)] } as const
      const { page, exchange } = await readPage(subject, 'P1', { filter })
      demand(page.data.length === 0 && page.nextPageToken === undefined, {
        clause: 'P1',
        expected: 'an empty data and no nextPageToken for a primary key that no object has',
        exchange,
      })
    },
  },
  {
    clause: 'P1',
    title: 'the lists beside the objects are paginated as well',
    run: async ({ collection, send }) => {
      const lists = [
        objectTypesPath(collection),
        ...(collection.revision === '1.0' ? ['/api/v1/ontologies'] : []),
      ]
      for (const path of lists) {
        let token = ''
        for (let pages = 0; pages < 5; pages += 1) {
          const exchange = await send(getRequest(`${path}?pageSize=1${token && `&pageToken=${token}`}`))
          const { body } = exchange
          demand(exchange.status === 200 && isPage(body), {
            clause: 'P1',
            expected: 'a page of the list',
            exchange,
          })
          demand(body.data.length <= 1, { clause: 'P19', expected: 'at most 1 item', exchange })
          const page = checkedToken(exchange, body, collection.revision)
          demand(page.data.length > 0 || (pages === 0 && page.nextPageToken === undefined), {
            clause: page.nextPageToken === undefined ? 'P3' : 'P5',
            expected: 'a page that holds an item',
            exchange,
          })
          if (page.nextPageToken === undefined) break
          token = page.nextPageToken
        }
      }
    },
  },
  {
    clause: 'P2',
    title: 'a page has a token while more results exist, and never an empty one',
    run: async (subject) => {
      for (const pageSize of [1, 2, subject.sample.length - 1]) {
        const { page, exchange } = await readPage(subject, 'P2', { pageSize })
        demand(page.nextPageToken !== undefined, {
          clause: 'P2',
          expected: `a nextPageToken after ${page.data.length} of at least ${subject.sample.length} objects`,
          exchange,
        })
      }
      // On the last page the token is absent, not empty.
      await readPage(subject, 'P2', { filter: filterFor(subject, spreadObjects(subject, 1)) })
    },
  },
  {
    clause: 'P3',
    title: 'a last page that is exactly full has no token',
    run: async (subject) => {
      const chosen = spreadObjects(subject, 6)
      for (const pageSizes of [[6], [3], [2], [1], [5, 1]]) {
        const { records, last } = await readWalk(subject, {
          clause: 'P3',
          ask: { filter: filterFor(subject, chosen) },
          pageSizes,
        })
        demand(records.length === 6, {
          clause: 'P6',
          expected: 'the 6 objects whose primary keys were asked for',
          found: `${records.length}`,
          exchange: last,
        })
      }
      const whole = subject.sample.length
      if (!subject.isWhole || whole > sizesOf(subject.collection.revision).maximum) return
      const { page, exchange } = await readPage(subject, 'P3', { pageSize: whole })
      demand(page.data.length < whole || page.nextPageToken === undefined, {
        clause: 'P3',
        expected: `no nextPageToken on a page that holds all ${whole} objects`,
        exchange,
      })
    },
  },
  {
    clause: 'P4',
    title: 'the last page has no nextPageToken, not even null',
    revision: '2.0',
    run: async (subject) => {
      const filter = filterFor(subject, spreadObjects(subject, 1))
      await readPage(subject, 'P4', { filter })
      await readPage(subject, 'P4', { filter, snapshot: true })
    },
  },
  {
    clause: 'P5',
    title: 'no page is empty while more results exist, even if few objects match',
    run: async (subject) => {
      const filter = filterFor(subject, spreadObjects(subject, 8))
      for (const snapshot of [false, true]) {
        await readWalk(subject, { clause: 'P5', ask: { filter, snapshot }, pageSizes: [3, 1] })
      }
      await readWalk(subject, { clause: 'P5', pageSizes: [7], untilObjects: 60 })
    },
  },
  {
    clause: 'P6',
    title: 'a walk ends only at the end of the collection',
    run: async (subject) => {
      const { key } = subject.type
      const backward = await readWalk(subject, {
        clause: 'P6',
        ask: { orderBy: [{ property: key.name, direction: 'desc' }] },
        pageSizes: [100],
        untilObjects: 50,
      })
      const tail = inOrder(subject, backward.records, [])
      const [first] = tail
      if (first === undefined) return
      const end = await readWalk(subject, {
        clause: 'P6',
        ask: {
          filter: { kind: 'gte', property: key.name, value: keysOf(subject, [first])[0] ?? '' },
          orderBy: [{ property: key.name, direction: 'asc' }],
        },
        pageSizes: [7],
      })
      const found = difference(keysOf(subject, end.records), keysOf(subject, tail))
      demand(found === undefined, {
        clause: 'P6',
        expected: `the last ${tail.length} objects of the type, which a walk in descending order returned`,
        found,
        exchange: end.last,
      })
    },
  },
  {
    clause: 'P6',
    title: 'small pages and large pages lead to the same end',
    run: async (subject) => {
      const { sample, isWhole, type } = subject
      const small = await readWalk(subject, {
        clause: 'P6',
        pageSizes: [Math.max(7, Math.ceil(sample.length / 60))],
        ...(!isWhole && { untilObjects: sample.length }),
      })
      const backward = isWhole
        ? await readWalk(subject, {
            clause: 'P6',
            ask: { orderBy: [{ property: type.key.name, direction: 'desc' }] },
            pageSizes: [sizesOf(subject.collection.revision).maximum],
          })
        : undefined
      const expected = backward === undefined ? sample : backward.records.toReversed()
      const found = difference(
        keysOf(subject, small.records.slice(0, isWhole ? undefined : sample.length)),
        keysOf(subject, expected),
      )
      demand(found === undefined, {
        clause: 'P6',
        expected: `the same ${expected.length} objects whatever the page size and direction`,
        found,
        exchange: small.last,
      })
    },
  },
  {
    clause: 'P8',
    title: 'a page ends at the byte budget, but holds at least one object',
    run: async (subject) => {
      const { maximum } = sizesOf(subject.collection.revision)
      const { page, exchange } = await readPage(subject, 'P8', { pageSize: maximum })
      const sizes = sentSizes(page)
      const bytes = sumOf(sizes)
      // The object that exceeds the budget is still sent.
      demand(bytes - Math.max(...sizes) <= limits.page.byteBudget, {
        clause: 'P8',
        expected: `a page that ends when its objects reach ${limits.page.byteBudget} bytes`,
        found: `${bytes} bytes in ${sizes.length} objects`,
        exchange: { ...exchange, text: exchange.text.slice(0, 500) },
      })
      if (bytes < limits.page.byteBudget * 0.9) {
        skip(`needs a first page of more than 8 MiB; this one has ${Math.ceil(bytes / 1024)} KiB`)
      }
    },
  },
  {
    clause: 'P8',
    title: 'properties that are left out do not end a page',
    run: async (subject) => {
      const { maximum } = sizesOf(subject.collection.revision)
      const ask = { pageSize: maximum, select: [subject.type.key.name] }
      const sentAt = performance.now()
      const { page, exchange } = await readPage(subject, 'P8', ask)
      const seconds = (performance.now() - sentAt) / 1_000
      const sizes = sentSizes(page)
      const isFull = page.data.length === maximum || page.nextPageToken === undefined
      if (!isFull && seconds >= limits.time.scanSeconds) {
        skip(`the page took ${Math.round(seconds)} seconds, so it may have ended for that`)
      }
      demand(isFull || sumOf(sizes) + Math.max(...sizes) >= limits.page.byteBudget * 0.9, {
        clause: 'P8',
        expected: `${maximum} objects, the last page, or ${limits.page.byteBudget} bytes of what is sent`,
        found: `${sumOf(sizes)} bytes in ${sizes.length} objects`,
        exchange: { ...exchange, text: exchange.text.slice(0, 500) },
      })
    },
  },
  {
    clause: 'P150',
    title: 'the pages of a snapshot walk carry one version',
    run: async (subject) => {
      const ask = { snapshot: true, pageSize: 5 }
      const first = await readPage(subject, 'P150', ask)
      const second = await readPage(subject, 'P150', { ...ask, pageToken: first.page.nextPageToken })
      const version = first.page['version']
      for (const { page, exchange } of [first, second]) {
        demand(typeof version === 'string' && page['version'] === version, {
          clause: 'P150',
          expected: 'version as a string, the same on every page of the walk',
          found: shown(page['version']),
          exchange,
        })
        // A type with a policy has no total, and a policy cannot be seen from outside.
        const { totalCount } = page
        demand(totalCount === undefined || !subject.isWhole || totalCount === String(subject.sample.length), {
          clause: subject.collection.revision === '1.0' ? 'P68' : 'P150',
          expected: `totalCount "${subject.sample.length}"`,
          found: shown(totalCount),
          exchange,
        })
      }
    },
  },
  {
    clause: 'P433',
    title: 'tokens, versions and ids are no longer than readers make room for',
    run: async (subject) => {
      for (const exchange of await usualAnswers(subject)) {
        for (const [name, value] of membersOf(exchange.body)) {
          const room = roomFor(name)
          demand(room === undefined || typeof value !== 'string' || value.length <= room, {
            clause: 'P433',
            expected: `at most ${room} characters in ${name}`,
            found: shown(value),
            exchange,
          })
        }
      }
    },
  },
  {
    clause: 'P434',
    title: 'an absent field is left out, and is not null',
    run: async (subject) => {
      for (const exchange of await usualAnswers(subject)) {
        const mayBeNull = subject.collection.revision === '1.0' ? 'nextPageToken' : undefined
        const empty = membersOf(exchange.body).find(([name, value]) => value === null && name !== mayBeNull)
        demand(empty === undefined, {
          clause: 'P434',
          expected: `no field ${empty?.[0]} instead of null`,
          exchange,
        })
      }
    },
  },
]

/** A page in the middle, a last page, the types, and a refusal. */
async function usualAnswers(subject: Subject): Promise<readonly Exchange[]> {
  const filter = filterFor(subject, spreadObjects(subject, 2))
  return [
    await subject.send(requestOf(subject, { filter, pageSize: 1, snapshot: true })),
    await subject.send(requestOf(subject, { filter, pageSize: 2, snapshot: true })),
    await subject.send(getRequest(`${objectTypesPath(subject.collection)}?pageSize=10`)),
    await subject.send(requestOf(subject, { pageToken: 'made-up' })),
  ]
}

const roomFor = (name: string): number | undefined => {
  if (/^version$|Version$/.test(name)) return 19
  if (name.endsWith('Token')) return limits.pageToken.characters
  return name.endsWith('Id') ? 255 : undefined
}

/** All fields at any depth, but for the properties of objects, whose names and values are the user's. */
const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  Array.isArray(value)
    ? value.flatMap(membersOf)
    : isObject(value)
      ? Object.entries(value)
          .filter(([name]) => name !== 'properties')
          .flatMap(([name, inner]) => [[name, inner] as const, ...membersOf(inner)])
      : []

/** The bytes of each object as sent. */
const sentSizes = ({ data }: { readonly data: readonly unknown[] }): readonly number[] =>
  data.map((record) => Buffer.byteLength(JSON.stringify(record)))

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)
