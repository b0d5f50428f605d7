// Collections that do not change, of every size that has ever been a boundary case, with page sizes that change during a
// walk.
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '@octavo/model'
import { items, loadItems } from '../support/load-items.ts'
import { listing, revisions, searching, type Collection } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { askForPage, readPage, walkOverHttp, type HttpWalk } from '../support/walk-over-http.ts'
import { refusalOf } from '../support/error-answer.ts'
import { errorWith } from '../support/named-errors.ts'

const small = [0, 1, 7, 8, 100, 101] as const
const large = [1_000, 1_001, 10_000, 10_001, 25_000] as const

const service = forAllTests(serveOnFreshDatabase)
const collections = new Map<number, Collection>()

beforeAll(async () => {
  for (const count of [...small, ...large]) {
    const { collection } = await loadItems(service.store, service.ontology, count)
    collections.set(count, collection)
  }
})

const collectionOf = (count: number): Collection => {
  const collection = collections.get(count)
  if (collection === undefined) throw new Error(`no collection of ${count}`)
  return collection
}

const keysOf = ({ records }: HttpWalk) => records.map(({ properties }) => properties['id'])
const keysUpTo = (count: number) => items(count).map(({ id }) => id)

describe.for(revisions)('in revision $name', (revision) => {
  const modes = [false, true] as const
  // A list returns only as many objects as one walk may; another promise tests the rest of its rules.
  const within = (count: number) => revision.name === '2.0' || count <= 10_000

  describe.for(modes)('with snapshot %s', (snapshot) => {
    it.for(small)('P1, P2, P3, P5: %i objects, one to a page', async (count) => {
      const walk = await walkOverHttp(service, revision, collectionOf(count), { snapshot, pageSize: () => 1 })
      expect(keysOf(walk)).toEqual(keysUpTo(count))
      expect(walk.pages).toHaveLength(Math.max(count, 1))
      const tokens = walk.pages.map((page) => 'nextPageToken' in page)
      expect(tokens).toEqual(Array.from({ length: Math.max(count, 1) }, (_, i) => i < count - 1))
    })

    it.for([...small, ...large].filter(within))(
      'P7, P22: %i objects, at random sizes that change from page to page',
      async (count) => {
        const random = seededRandom(count + 1)
        const pageSize = () =>
          random.chance(0.25)
            ? 1
            : random.integer(1, count > 1_000 ? 1_000 : Math.max(1, Math.ceil(count / 3)))
        const walk = await walkOverHttp(service, revision, collectionOf(count), { snapshot, pageSize })
        expect(keysOf(walk)).toEqual(keysUpTo(count))
      },
    )

    it.for([...small, ...large].filter(within))(
      'P18, P19, P23: %i objects at the default page size, from the first object on',
      async (count) => {
        const walk = await walkOverHttp(service, revision, collectionOf(count), { snapshot })
        expect(keysOf(walk)).toEqual(keysUpTo(count))
        expect(walk.pages).toHaveLength(Math.max(1, Math.ceil(count / revision.sizes.default)))
      },
    )

    it.for([7, 100, 1_000])('P3: %i objects on one exactly full page end without a token', async (count) => {
      const page = await readPage(service, revision, collectionOf(count), { snapshot, pageSize: count })
      expect(page.data).toHaveLength(count)
      expect(page).not.toHaveProperty('nextPageToken')
    })

    it.for([8, 101, 1_001])('P2: of %i objects all but one are a page with a token', async (count) => {
      const page = await readPage(service, revision, collectionOf(count), { snapshot, pageSize: count - 1 })
      expect(page.data).toHaveLength(count - 1)
      expect(page.nextPageToken).toMatch(/^[A-Za-z0-9_-]+$/)
    })
  })

  it('P4: the last page has no field nextPageToken, not even null', async () => {
    for (const count of [0, 1, 7]) {
      const { text } = await askForPage(service, revision, collectionOf(count))
      expect(text).not.toContain('nextPageToken')
    }
  })

  it.for([1_001, 2_000, 1e15, 1e20])(
    'P20, P23: the page size %s is reduced to the maximum of 1,000',
    async (pageSize) => {
      const page = await readPage(service, revision, collectionOf(1_001), { pageSize })
      expect(page.data).toHaveLength(1_000)
    },
  )

  it.for([0, -1, 1.5, 'ten', '', '1e3', '0x10', ' 5', '+5', '1.0', '-0', 'NaN', '٣'])(
    'P21: the page size %j is refused',
    async (pageSize) => {
      const refusal = refusalOf(await askForPage(service, revision, collectionOf(7), { pageSize }))
      expect(refusal).toMatchObject({ status: 400, errorName: 'InvalidPageSize' })
      expect(refusal.parameters).toEqual({ pageSize: String(pageSize) })
    },
  )

  it('P18: a request without a token starts again at the first object', async () => {
    const asked = { pageSize: 3 }
    const first = await readPage(service, revision, collectionOf(8), asked)
    await readPage(service, revision, collectionOf(8), { ...asked, pageToken: first.nextPageToken })
    const again = await readPage(service, revision, collectionOf(8), asked)
    expect(again.data).toEqual(first.data)
  })

  it('P16: an abandoned walk keeps nothing, and a token continues although others have started', async () => {
    const first = await readPage(service, revision, collectionOf(101), { pageSize: 10 })
    for (let i = 0; i < 50; i += 1) await readPage(service, revision, collectionOf(101), { pageSize: 1 + i })
    const second = await readPage(service, revision, collectionOf(101), {
      pageSize: 10,
      pageToken: first.nextPageToken,
    })
    expect(second.data.map(({ properties }) => properties['id'])).toEqual(keysUpTo(101).slice(10, 20))
  })
})

describe.for([false, true])('the limit of a listing, with snapshot %s', (snapshot) => {
  it('P70, P71: exactly 10,000 objects end without a token and without an error', async () => {
    const walk = await walkOverHttp(service, listing, collectionOf(10_000), { snapshot })
    expect(keysOf(walk)).toEqual(keysUpTo(10_000))
    expect(walk.pages).toHaveLength(10)
  })

  it.for([10_001, 25_000])(
    'P70, P71: of %i objects the 10,000th still comes with a token, whose use is the error',
    async (count) => {
      const random = seededRandom(count)
      let served = 0
      let pageToken: string | undefined
      const keys: unknown[] = []
      while (served < 10_000) {
        const pageSize = random.integer(1, 1_500)
        const page = await readPage(service, listing, collectionOf(count), { snapshot, pageSize, pageToken })
        served += page.data.length
        keys.push(...page.data.map(({ properties }) => properties['id']))
        pageToken = page.nextPageToken
        expect(pageToken).toBeDefined()
      }
      expect(keys).toEqual(keysUpTo(10_000))
      for (const pageSize of [1, 1_000, undefined]) {
        const answer = await askForPage(service, listing, collectionOf(count), {
          snapshot,
          pageSize,
          pageToken,
        })
        expect(refusalOf(answer)).toEqual(
          errorWith(400, 'ObjectsExceededLimit', { limit: 'objects', maximum: 10_000 }),
        )
      }
    },
  )

  it.for([0, 1, 7, 10_000, 10_001, 25_000])(
    'P68: totalCount is the string of all %i objects, on every page',
    async (count) => {
      const pages = [await readPage(service, listing, collectionOf(count), { snapshot, pageSize: 5 })]
      const pageToken = pages[0]?.nextPageToken
      if (pageToken !== undefined) {
        pages.push(
          await readPage(service, listing, collectionOf(count), { snapshot, pageSize: 3, pageToken }),
        )
      }
      expect(pages.map((page) => page.totalCount)).toEqual(pages.map(() => String(count)))
    },
  )

  it('P82: a search has no such limit', async () => {
    const walk = await walkOverHttp(service, searching, collectionOf(25_000), {
      snapshot,
      pageSize: () => 1_000,
    })
    expect(walk.records).toHaveLength(25_000)
    // Pages count nothing themselves: only a snapshot knows its total anyway (P150).
    expect(walk.pages.every((page) => 'totalCount' in page === snapshot)).toBe(true)
  })
})
