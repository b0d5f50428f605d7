// Pages, walks, single objects, orders, selections and links.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Osdk } from '@osdk/client'
import { aircraft, aircraftType, flights, flightType, type OfficialCall } from './flight-world.ts'
import { post } from './raw-requests.ts'

const keysOf = (objects: Iterable<{ readonly $primaryKey: unknown }>): readonly unknown[] =>
  Array.from(objects, ({ $primaryKey }) => $primaryKey)

const numbers = flights.map(({ number }) => number)

/** The properties alone. */
const plain = (object: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !name.startsWith('$')))

export const readingCalls: readonly OfficialCall[] = [
  {
    name: 'fetchPage gives typed keys, titles and all properties, and no rid',
    make: async ({ client }) => {
      const page = await client(flightType).fetchPage({ $pageSize: 3 })
      equal(page.totalCount, '1200')
      deepEqual(page.data.map(plain), flights.slice(0, 3))
      const [first] = page.data
      deepEqual(
        [first?.$primaryKey, first?.$apiName, first?.$title, first?.$objectSpecifier],
        [0, 'flight', 'Hello world 0', 'flight:0'],
      )
      ok(first !== undefined && !('$rid' in first))
    },
  },
  {
    name: 'fetchPage continues with the token of the page before',
    make: async ({ client }) => {
      const found: unknown[] = []
      let $nextPageToken: string | undefined
      do {
        const page = await client(flightType).fetchPage({
          $pageSize: 500,
          ...($nextPageToken !== undefined && { $nextPageToken }),
        })
        found.push(...keysOf(page.data))
        $nextPageToken = page.nextPageToken
      } while ($nextPageToken !== undefined)
      deepEqual(found, numbers)
    },
  },
  {
    name: 'asyncIter walks every object once',
    make: async ({ client }) => {
      const found: unknown[] = []
      for await (const object of client(flightType).asyncIter()) found.push(object.$primaryKey)
      deepEqual(found, numbers)
    },
  },
  {
    name: 'fetchPageWithErrors wraps a page',
    make: async ({ client }) => {
      const result = await client(flightType).fetchPageWithErrors({ $pageSize: 1 })
      deepEqual(keysOf(result.value?.data ?? []), [0])
    },
  },
  {
    name: 'fetchOne finds an object by its key, also one with a slash',
    make: async ({ client }) => {
      deepEqual(plain(await client(flightType).fetchOne(1_199)), flights[1_199])
      deepEqual(plain(await client(aircraftType).fetchOne('D-B/2')), aircraft[1])
    },
  },
  {
    name: 'orderBy sorts, in both directions and by several properties; missing values come last',
    make: async ({ client }) => {
      const inOrder = async ($orderBy: Record<string, 'asc' | 'desc'>) => {
        const { data } = await client(flightType).fetchPage({ $orderBy, $pageSize: 1_000 })
        return keysOf(data)
      }
      // Between equal values the key decides, in the direction of the last property (P39).
      const delayOf = ({ delay }: { delay?: number }, missing: number) => delay ?? missing
      const ascending = flights.toSorted((a, b) => delayOf(a, 99) - delayOf(b, 99))
      const descending = flights.toSorted((a, b) => delayOf(b, -1) - delayOf(a, -1) || b.number - a.number)
      const declared = flights.toSorted(
        (a, b) => delayOf(b, -1) - delayOf(a, -1) || (a.at < b.at ? -1 : a.at > b.at ? 1 : 0),
      )
      const first = (sorted: typeof flights) => sorted.slice(0, 1_000).map(({ number }) => number)
      deepEqual(await inOrder({ delay: 'asc' }), first(ascending))
      deepEqual(await inOrder({ delay: 'desc' }), first(descending))
      deepEqual(await inOrder({ delay: 'desc', at: 'asc' }), first(declared))
    },
  },
  {
    name: 'select gives what was selected',
    make: async ({ client }) => {
      const { data } = await client(flightType).fetchPage({ $pageSize: 1, $select: ['late', 'stops'] })
      deepEqual(data.map(plain), [{ number: 0, late: false, stops: [0, 10] }])
    },
  },
  {
    name: 'includeRid adds the rid, by which the object is found again',
    make: async ({ client, ontologyRid, url }) => {
      const { data } = await client(flightType).fetchPage({ $pageSize: 1, $includeRid: true })
      const rid = data[0]?.$rid
      ok(rid?.startsWith('ri.'), String(rid))
      const { body } = await post(url, `/api/v2/ontologies/${ontologyRid}/objectSets/loadObjects`, {
        objectSet: { type: 'static', objects: [rid] },
        select: [],
      })
      deepEqual((body['data'] as readonly Record<string, unknown>[])[0]?.['__primaryKey'], 0)
    },
  },
  {
    name: 'pivotTo leads from a set to what its objects are linked to, both ways',
    make: async ({ client }) => {
      const planes = await client(flightType).where({ delay: 3 }).pivotTo('aircraft').fetchPage()
      deepEqual(keysOf(planes.data), ['D-A', 'D-B/2'])
      equal(planes.data[0]?.$apiName, 'aircraft')
      const { totalCount } = await client(aircraftType)
        .where({ model: { $eq: 'A320' } })
        .pivotTo('flights')
        .fetchPage({ $pageSize: 1 })
      equal(totalCount, String(flights.filter(({ tail }) => tail === 'D-B/2').length))
    },
  },
  {
    name: '$link leads from an object to one and to many',
    make: async ({ client }) => {
      const flight = await client(flightType).fetchOne(0)
      const plane = await linkOf(flight, 'aircraft').fetchOne()
      deepEqual(plain(plane), aircraft[0])
      const { data } = await linkOf(plane, 'flights').fetchPage({ $pageSize: 2 })
      deepEqual(keysOf(data), [0, 3])
    },
  },
  {
    name: 'union, intersect and subtract combine sets of one type',
    make: async ({ client }) => {
      const [one, two] = [client(flightType).where({ delay: 1 }), client(flightType).where({ tail: 'D-A' })]
      const count = (fits: (flight: (typeof flights)[number]) => boolean) =>
        String(flights.filter(fits).length)
      const total = async (set: typeof one) => (await set.fetchPage({ $pageSize: 1 })).totalCount
      equal(
        await total(one.union(two)),
        count(({ delay, tail }) => delay === 1 || tail === 'D-A'),
      )
      equal(
        await total(one.intersect(two)),
        count(({ delay, tail }) => delay === 1 && tail === 'D-A'),
      )
      equal(
        await total(one.subtract(two)),
        count(({ delay, tail }) => delay === 1 && tail !== 'D-A'),
      )
    },
  },
  {
    name: 'fetchMetadata describes a type with its properties and links',
    make: async ({ client }) => {
      const metadata = await client.fetchMetadata(flightType)
      equal(metadata.primaryKeyApiName, 'number')
      equal(metadata.primaryKeyType, 'integer')
      deepEqual(metadata.links['aircraft'], { targetType: 'aircraft', multiplicity: false })
      deepEqual((await client.fetchMetadata(aircraftType)).links['flights'], {
        targetType: 'flight',
        multiplicity: true,
      })
      const types = Object.entries(metadata.properties).map(([name, { type }]) => [name, type])
      deepEqual(Object.fromEntries(types), {
        number: 'integer',
        tail: 'string',
        delay: 'integer',
        note: 'string',
        late: 'boolean',
        miles: 'long',
        price: 'decimal',
        load: 'double',
        day: 'datetime',
        at: 'timestamp',
        stops: 'integer',
        pilot: { FIRST: 'string', LAST: 'string' },
      })
    },
  },
]

interface LinkAccess {
  readonly fetchOne: () => Promise<Osdk.Instance<typeof flightType>>
  readonly fetchPage: (options: { readonly $pageSize: number }) => Promise<{
    readonly data: readonly { readonly $primaryKey: unknown }[]
  }>
}

/** Links of a type that the compiler knows nothing of. */
function linkOf(object: { readonly $link: object }, name: string): LinkAccess {
  const found: unknown = Reflect.get(object.$link, name)
  return found as LinkAccess
}
