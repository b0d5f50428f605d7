import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { checksumOf } from '@octavo/model'
import { answerOf } from '../support/answer-of.ts'
import { itemDefinition, itemId, items } from '../support/load-items.ts'
import { manageOverHttp, merge, put, remove } from '../support/manage-over-http.ts'
import { jsonBody, listing, searching, type Collection } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { walkOverHttp, type WirePage } from '../support/walk-over-http.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const collection = (objectType: string): Collection => ({
  ontologyRid: service.ontology.rid,
  apiFamily: 'promised',
  objectType,
})

beforeAll(async () => {
  for (const name of ['thing', 'other', 'loaded'])
    await service.store.applyObjectType(service.ontology, itemDefinition(name))
})

type SummedPage = WirePage & { readonly checksum?: string }

async function shownChecksum(objectType: string, ask: object = {}): Promise<string | undefined> {
  const { pages, records } = await walkOverHttp(service, searching, collection(objectType), {
    snapshot: true,
    pageSize: () => 7,
    ...ask,
  })
  const [last, ...others] = [...(pages as readonly SummedPage[])].toReversed()
  expect(others.every((page) => !('checksum' in page))).toBe(true)
  if (last?.checksum !== undefined) expect(last.checksum).toBe(checksumOf(records))
  return last?.checksum
}

it('P251: the checksum of a type without objects is zero', async () => {
  expect(await shownChecksum('thing')).toBe('0'.repeat(16))
})

it('P251: after every kind of change, the last page has the sum of what the walk has shown', async () => {
  const seen = new Set<string | undefined>()
  const expectNew = async () => {
    const checksum = await shownChecksum('thing')
    expect(checksum).toMatch(/^[0-9a-f]{16}$/)
    expect(seen).not.toContain(checksum)
    seen.add(checksum)
    return checksum
  }
  const commit = (lines: readonly unknown[]) => manage.commit(lines, { objectType: 'thing' })
  await commit(items(40).map((item) => put(item)))
  const full = await expectNew()
  // A put of an equal object changes nothing.
  await commit(items(40).map((item) => put(item)))
  expect(await shownChecksum('thing')).toBe(full)
  await commit([put({ id: itemId(3), rank: 1, label: 'changed' }), put({ id: itemId(90), rank: 2 })])
  await expectNew()
  await commit([remove(itemId(5)), remove(itemId(6)), remove('never there')])
  await expectNew()
  await commit([merge({ id: itemId(7), label: 'merged' }), merge({ id: itemId(8), tags: null })])
  await expectNew()
  await manage.commit(
    [put({ id: 'one', rank: 1 }, 'thing'), remove(itemId(9), 'thing'), put({ id: 'one', rank: 2 }, 'other')],
    {},
  )
  await expectNew()
  expect(await shownChecksum('other')).toBe(
    checksumOf([{ primaryKey: 'one', properties: { id: 'one', rank: 2 } }]),
  )
  await manage.commit(
    items(60)
      .slice(20)
      .map((item) => put(item)),
    { objectType: 'thing', kind: 'replace', maxDeletions: '100%' },
  )
  await expectNew()
  await manage.commit(
    items(40).map((item) => put(item)),
    { objectType: 'thing', kind: 'replace', maxDeletions: '100%' },
  )
  // The same contents have the same checksum, however they came about.
  expect(await shownChecksum('thing')).toBe(full)
})

it('P251, P252: a walk has the checksum of the state that it reads, whatever is written meanwhile', async () => {
  const before = await shownChecksum('thing')
  const { pages, records } = await walkOverHttp(service, searching, collection('thing'), {
    snapshot: true,
    pageSize: () => 9,
    afterPage: async (_page, number) => {
      await manage.commit([put({ id: `new ${number}`, rank: number })], { objectType: 'thing' })
    },
  })
  expect((pages.at(-1) as SummedPage).checksum).toBe(before)
  expect(checksumOf(records)).toBe(before)
  expect(await shownChecksum('thing')).not.toBe(before)
})

it('P251: a load has one too', async () => {
  const base = `/manage/v1/ontologies/${service.ontology.rid}/loads`
  const asked = jsonBody({ objectTypes: ['loaded'] })
  const begun = JSON.parse((await answerOf(service, base, asked)).text) as { loadId: string }
  for (const [part, from] of [0, 25].entries()) {
    const lines = items(50).slice(from, from + 30)
    const added = await answerOf(service, `${base}/${begun.loadId}/objectTypes/loaded/parts/${part}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((item) => JSON.stringify(put(item))).join('\n'),
    })
    expect(added.status).toBe(200)
  }
  const finished = await answerOf(service, `${base}/${begun.loadId}/finish`, { method: 'POST' })
  expect(JSON.parse(finished.text)).toMatchObject({ created: 50 })
  expect(await shownChecksum('loaded')).toMatch(/[1-9a-f]/)
})

it('P251: only a snapshot walk of whole objects and all of them has a checksum', async () => {
  const last = async (ask: object, revision = searching) =>
    (await walkOverHttp(service, revision, collection('loaded'), ask)).pages.at(-1)
  for (const ask of [{}, { snapshot: true, select: ['id'] }]) {
    expect(await last(ask)).not.toHaveProperty('checksum')
  }
  expect(await last({ snapshot: true }, listing)).not.toHaveProperty('checksum')
  const path = '/api/promised/v1/objects/types/loaded/search'
  const query = { type: 'gte', field: 'id', value: '' }
  const filtered = await answerOf(service, path, jsonBody({ query, snapshot: true, pageSize: 1000 }))
  expect(JSON.parse(filtered.text)).not.toHaveProperty('checksum')
})
