import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { itemDefinition, collectionIn } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { revisions, searching } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { walkOverHttp } from '../support/walk-over-http.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)
const collection = collectionIn(service, 'item')

beforeAll(async () => {
  await service.store.applyObjectType(service.ontology, itemDefinition('item'))
  await manage.commit(
    ['a', 'b', 'c'].map((id) => put({ id })),
    { objectType: 'item' },
  )
})

it.for(revisions)(
  'P150: in revision $name every page of a snapshot walk has its version and total',
  async (revision) => {
    const before = (await manage.request('GET', 'objectTypes/item/statistics')).json as {
      version: string
      objectCount: number
    }
    const { pages } = await walkOverHttp(service, revision, collection, {
      snapshot: true,
      pageSize: () => 1,
      afterPage: async (_page, number) => {
        if (number === 1)
          await manage.commit([put({ id: `new-${revision.name}` }), remove('a')], { objectType: 'item' })
      },
    })
    expect(pages).toHaveLength(before.objectCount)
    expect(new Set(pages.map(({ version }) => version))).toEqual(new Set([before.version]))
    expect(new Set(pages.map(({ totalCount }) => totalCount))).toEqual(new Set([String(before.objectCount)]))
  },
)

it.for(revisions)(
  'P248: in revision $name every page of the latest data has the version it shows',
  async (revision) => {
    const latest = async () =>
      ((await manage.request('GET', 'objectTypes/item/statistics')).json as { readonly version: string })
        .version
    const shown: string[] = []
    const { pages } = await walkOverHttp(service, revision, collection, {
      pageSize: () => 1,
      afterPage: async (_page, number) => {
        shown.push(await latest())
        if (number === 1)
          await manage.commit([put({ id: 'a', label: revision.name })], { objectType: 'item' })
      },
    })
    expect(pages.length).toBeGreaterThan(2)
    shown.push(await latest())
    expect(pages.map(({ version }) => version)).toEqual(shown.slice(0, pages.length))
    expect(Number(shown.at(-1))).toBe(Number(shown[0]) + 1)
    if (revision === searching) expect(pages[0]).not.toHaveProperty('totalCount')
  },
)

it('P150: a search with a query, or of a type with a policy, has a version but no total', async () => {
  const search = async (query: object) => {
    const response = await service.fetch('/api/promised/v1/objects/types/item/search', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, snapshot: true }),
    })
    return response.json()
  }
  const filtered = await search({ type: 'eq', field: 'id', value: 'b' })
  expect(filtered).toMatchObject({ data: [{ primaryKey: 'b' }], version: expect.any(String) })
  expect(filtered).not.toHaveProperty('totalCount')
  await service.store.applyObjectType(service.ontology, {
    ...itemDefinition('item'),
    policy: { type: 'eq', field: 'id', value: 'b' },
  })
  const hidden = await search({ type: 'empty' })
  expect(hidden).toMatchObject({ data: [{ primaryKey: 'b' }] })
  expect(hidden).not.toHaveProperty('totalCount')
})
