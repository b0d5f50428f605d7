// What the paging conventions say of pages and the objects on them, for lists (revision 1.0) and searches (revision 2.0).
import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import { collectionOf, itemDefinition, items, loadItems, putItems } from '../../support/load-items.ts'
import { manageOverHttp, remove } from '../../support/manage-over-http.ts'
import { refusalOf } from '../../support/error-answer.ts'
import { listing, revisions, searching } from '../../support/page-revisions.ts'
import { resealed } from '../../support/reseal-token.ts'
import { serveOnFreshDatabase } from '../../support/serve-on-fresh-database.ts'
import { askForPage, readPage, walkOverHttp, type WirePage } from '../../support/walk-over-http.ts'
import { withItems } from '../../support/with-items.ts'
import { defineType } from '../../support/define-type.ts'
import { errorNamed } from '../../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const { collection: people } = withItems(service, 7, 'person')
const { collection: nobody } = withItems(service, 0, 'nobody')
const keys = items(7).map(({ id }) => id)

const keysOf = ({ data }: Pick<WirePage, 'data'>) => data.map(({ properties }) => properties['id'])

describe.for(revisions)('in revision $name', (revision) => {
  const page = (ask = {}, of = people) => readPage(service, revision, of, ask)
  const walk = (pageSize: number) => walkOverHttp(service, revision, people, { pageSize: () => pageSize })

  it('S2: the endpoint returns a collection of objects', async () => {
    expect(keysOf(await page())).toEqual(keys)
  })

  it('S4: a client may need several requests to read all objects', async () => {
    const { pages, records } = await walk(3)
    expect(pages).toHaveLength(3)
    expect(keysOf({ data: records })).toEqual(keys)
  })

  it('S5, S6: the objects are those of one object type inside one ontology', async () => {
    const other = await service.store.applyOntology({
      apiName: `other${revision.sizes.default}`,
      displayName: 'Other',
      apiFamilies: [`other${revision.sizes.default}`],
    })
    const { collection } = await loadItems(service.store, other, 2, 'person')
    expect(keysOf(await page({}, collection))).toEqual(keys.slice(0, 2))
    expect(keysOf(await page())).toEqual(keys)
  })

  it('S7: data is there, and an array, also on a page without results', async () => {
    expect((await page({}, nobody)).data).toEqual([])
  })

  it('S8, S9: data has the results of this page, nextPageToken selects the next one', async () => {
    const first = await page({ pageSize: 4 })
    expect(keysOf(first)).toEqual(keys.slice(0, 4))
    expect(first.nextPageToken).toEqual(expect.any(String))
    const next = await page({ pageSize: 4, pageToken: first.nextPageToken })
    expect(keysOf(next)).toEqual(keys.slice(4))
  })

  it.for([1, 6, 7, 8])(
    'S10, S11: with %i to a page, a token that is not empty comes if and only if more results exist',
    async (pageSize) => {
      const { pages } = await walk(pageSize)
      expect(pages).toHaveLength(Math.ceil(7 / pageSize))
      for (const { nextPageToken } of pages.slice(0, -1)) expect(nextPageToken).toMatch(/./)
      expect(pages.at(-1)).not.toHaveProperty('nextPageToken')
    },
  )

  it('S12: while more results exist, every page has at least one', async () => {
    const apiName = `written-${revision.endpoint}`
    const { collection } = await loadItems(service.store, service.ontology, 7, apiName)
    const { pages } = await walkOverHttp(service, revision, collection, {
      pageSize: () => 1,
      afterPage: async (_page, number) => {
        if (number !== 2) return
        const gone = keys.slice(2, 5).map((key) => remove(key))
        await manageOverHttp(service).commit(gone, { objectType: apiName })
      },
    })
    expect(pages.map(keysOf)).toEqual([0, 1, 5, 6].map((i) => [keys[i]]))
  })

  it('S13: a page may have fewer results than pageSize', async () => {
    const type = await service.store.applyObjectType(
      service.ontology,
      defineType(`large-${revision.endpoint}`, { id: 'string', text: 'string' }),
    )
    await putItems(
      service.store,
      type,
      ['a', 'b', 'c'].map((id) => ({ id, text: id.repeat(3_000_000) })),
    )
    const first = await page({ pageSize: 3 }, collectionOf(service.ontology, type))
    expect(keysOf(first)).toEqual(['a', 'b'])
    expect(first).toHaveProperty('nextPageToken')
  })

  it('S14: page tokens are short-lived', async () => {
    const { nextPageToken = '' } = await page({ pageSize: 4 })
    const aged = (seconds: number) =>
      resealed(nextPageToken, (claims) => ({ ...claims, issuedAtSeconds: claims.issuedAtSeconds - seconds }))
    expect(keysOf(await page({ pageToken: aged(600) }))).toEqual(keys.slice(4))
    const late = await askForPage(service, revision, people, { pageToken: aged(1_000) })
    expect(refusalOf(late)).toMatchObject(errorNamed('InvalidPageToken', { reason: 'expired' }))
  })

  it('S15: a token is opaque and works only unchanged', async () => {
    const { nextPageToken = '' } = await page({ pageSize: 4 })
    expect(Buffer.from(nextPageToken, 'base64url').toString('latin1')).not.toMatch(/i00|person|promised/)
    for (const changed of [nextPageToken.slice(0, -1), `${nextPageToken}A`, nextPageToken.toLowerCase()]) {
      const answer = await askForPage(service, revision, people, { pageToken: changed })
      expect(refusalOf(answer)).toMatchObject({ errorName: 'InvalidPageToken' })
    }
  })

  it('S16, S17: an object has its values in properties, whose names depend on the object type', async () => {
    const { store, ontology } = service
    const type = await store.applyObjectType(ontology, {
      ...itemDefinition(`ship-${revision.endpoint}`),
      primaryKey: 'imo',
      titleProperty: 'imo',
      properties: { imo: { type: 'string' }, flag: { type: 'string' } },
      links: {},
    })
    await putItems(store, type, [{ imo: '9074729', flag: 'NO' }])
    const ships = await page({}, collectionOf(ontology, type))
    expect(ships.data.map(({ properties }) => properties)).toEqual([{ imo: '9074729', flag: 'NO' }])
    expect((await page()).data[1]?.properties).toMatchObject({ id: keys[1], rank: 19 })
  })
})

it('S18: in revision 1.0 property values are scalars', async () => {
  const { data } = await readPage(service, listing, people)
  expect(data[1]?.properties).toEqual({ id: keys[1], rank: 19, label: 'Item "1" ü' })
})

it('S19: in revision 2.0 a property can be an array of objects that hold text', async () => {
  const { data } = await readPage(service, searching, people)
  expect(data[1]?.properties['names']).toEqual([{ firstName: 'Ada', lastName: 'B1' }])
})
