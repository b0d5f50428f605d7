import { auditPageSchema, type AuditPage } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it, vi } from 'vitest'
import { readAudit } from '../../src/manage/read-audit.ts'
import { itemDefinition, loadItems } from '../support/load-items.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { grantTo, newTokenOf, testSubject } from '../support/test-access.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

beforeAll(async () => {
  const { store, ontology } = service
  await loadItems(store, ontology, 5, 'one')
  await loadItems(store, ontology, 5, 'two')
  await store.applyOntology({ apiName: 'other', displayName: 'Other', apiFamilies: ['other'] })
  await grantTo(store, 'ada', ontology.rid, 'reader')
  const { token } = await newTokenOf(store, { subject: 'ada' })
  for (let rank = 0; rank < 4; rank += 1) {
    for (const objectType of ['one', 'two']) {
      const body = jsonBody({ query: { type: 'empty' } })
      const path = `/api/promised/v1/objects/types/${objectType}/search`
      await service.fetch(path, body)
      await service.fetch(path, { ...body, headers: { ...body.headers, authorization: `Bearer ${token}` } })
      await manage.commit([put({ id: 'a', rank })], { objectType })
    }
  }
  // Reads are recorded in the background.
  await vi.waitUntil(async () => (await pagesOf()).filter(isRead).length === 16, 20_000)
})

const isRead = ({ action }: AuditPage['data'][number]) => action === 'searchObjects'
const isPage = Compile(auditPageSchema)

async function ask(query: string): Promise<AuditPage> {
  const { status, json } = await manage.request('GET', `audit${query}`)
  expect(status, JSON.stringify(json)).toBe(200)
  expect(isPage.Check(json), JSON.stringify(json)).toBe(true)
  return json as AuditPage
}

/** All pages. */
async function pagesOf(query = 'pageSize=1000'): Promise<AuditPage['data']> {
  const data = []
  let token = ''
  do {
    const page = await ask(`?${query}${token}`)
    data.push(...page.data)
    token = page.nextPageToken === undefined ? '' : `&pageToken=${page.nextPageToken}`
  } while (token !== '')
  return data
}

it('P287: reads and changes together, newest first, in pages of any size', async () => {
  const whole = await pagesOf()
  expect(whole.filter(isRead)).toHaveLength(16)
  expect(whole.filter(({ action }) => action === 'commit')).toHaveLength(8)
  // A time has no more digits than it needs.
  const times = whole.map(({ occurredAt }) =>
    occurredAt.replace(/(\.\d+)?Z$/, (end) => end.slice(0, -1).padEnd(7, '0')),
  )
  expect(times).toEqual(times.toSorted().toReversed())
  for (const pageSize of [1, 3, 7]) expect(await pagesOf(`pageSize=${pageSize}`)).toEqual(whole)
  expect(whole.find(isRead)).toMatchObject({
    objectType: 'two',
    objectCount: 6,
    mode: 'default',
    endedBy: 'end',
  })
})

it('P287: a change says what became of it, each under its own name', async () => {
  const whole = await pagesOf()
  const shown = (action: string) => whole.filter((record) => record.action === action)
  const versions = shown('commit').map(({ objectType, version }) => `${objectType} ${version}`)
  expect(versions.slice(0, 2)).toEqual(['two 5', 'one 5'])

  const principal = { type: 'group', name: 'staff & friends' }
  const path = `grants/groups/${encodeURIComponent(principal.name)}`
  await manage.request('PUT', path, { role: 'writer' })
  await manage.request('DELETE', path)
  await manage.request('PUT', 'objectTypes/three', itemDefinition('three'))
  const [defined, removed, put] = (await ask('?pageSize=3')).data
  expect(defined).toMatchObject({ action: 'applyObjectType', objectType: 'three', revision: 1 })
  expect(put).toMatchObject({ action: 'putGrant', role: 'writer', principal })
  expect(removed).toMatchObject({ action: 'removeGrant', principal })
  expect(removed).not.toHaveProperty('role')
})

it('P287: of one caller, of one object type, and of both', async () => {
  const whole = await pagesOf()
  const ofAda = await pagesOf('subject=ada&pageSize=3')
  expect(ofAda).toEqual(whole.filter(({ subject }) => subject === 'ada'))
  expect(ofAda).toHaveLength(8)
  const ofOne = await pagesOf('objectType=one&pageSize=5')
  expect(ofOne).toEqual(whole.filter(({ objectType }) => objectType === 'one'))
  expect(await pagesOf('objectType=one&subject=ada')).toHaveLength(4)
  expect(await pagesOf('subject=nobody')).toEqual([])
  expect(whole.some(({ subject }) => subject === testSubject)).toBe(true)
})

it.each(['subject', 'objectType'])('P287: a NUL in %s is refused', async (parameterId) => {
  const { status, json } = await manage.request('GET', `audit?${parameterId}=%00`)
  expect(status).toBe(400)
  expect(json).toMatchObject({ errorName: 'InvalidParameterValue', parameters: { parameterId } })
})

it('P287: a token belongs to its filters, and to its ontology', async () => {
  const { nextPageToken } = await ask('?pageSize=1&subject=ada')
  const { json } = await manage.request('GET', `audit?pageToken=${nextPageToken}&subject=eve`)
  expect(json).toMatchObject(
    errorNamed('InvalidPageToken', { reason: 'requestChanged', changed: ['subject'] }),
  )
  expect((await manage.request('GET', 'audit?caller=ada')).json).toMatchObject({
    errorName: 'UnknownParameter',
  })
})

it('P287: nothing of another ontology is in it', async () => {
  const ontologies = await service.store.catalog.ontologies()
  const other = ontologies.find(({ apiName }) => apiName === 'other')
  const { json } = await manage.request('GET', `/manage/v1/ontologies/${other?.rid}/audit`)
  expect((json as AuditPage).data.filter(isRead)).toEqual([])
})

it('P287: what a filter leaves out is looked through in bounded steps', async () => {
  const { database } = service.store
  const many = 120_000
  await database.rows({
    text: `insert into octavo.audit (at, id, subject, action, ontology_rid, object_type) select timestamp '2020-01-01' + n * interval '1 second', n::text, case when n = 5 then 'rare' else 'often' end, 'searchObjects', $1, 'one' from generate_series(1, ${many}) as n`,
    values: [service.ontology.rid],
  })
  const wanted = { subject: 'rare', objectType: undefined, most: 10 }
  let pages = 0
  let before: Parameters<typeof readAudit>[2]['before']
  const found = []
  do {
    const read = await readAudit(database, service.ontology, { ...wanted, before })
    found.push(...read.records)
    before = read.next
    pages += 1
  } while (before !== undefined)
  expect(found).toMatchObject([{ subject: 'rare', occurredAt: '2020-01-01T00:00:05Z' }])
  expect(pages).toBe(3)
})
