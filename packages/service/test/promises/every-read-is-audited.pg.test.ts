import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { logObservations } from '../../src/observe/log-observations.ts'
import { employeeDefinition } from '../support/employee.ts'
import { loadItems } from '../support/load-items.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { testSubject, testToken } from '../support/test-access.ts'
import { withItems } from '../support/with-items.ts'

const service = forAllTests(serveOnFreshDatabase)
const { collection } = withItems(service, 5, 'item')
let list: string
let search: string

beforeAll(async () => {
  list = `/api/v1/ontologies/${collection.ontologyRid}/objects/item`
  search = `/api/${collection.apiFamily}/v1/objects/types/item/search`
})

const rows = () => service.store.database.rows({ text: 'select * from octavo.audit order by at', values: [] })

const searchFor = (body: object) =>
  service.fetch(search, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

interface Page {
  readonly nextPageToken?: string
}
const tokenOf = async (response: Response): Promise<string> => {
  const page: Page = JSON.parse(await response.text())
  return page.nextPageToken ?? ''
}

it('every page and every single object leaves who read it, of which type, how much and in which walk', async () => {
  const first = await service.fetch(`${list}?pageSize=3&snapshot=true`)
  const bytes = Number(first.headers.get('content-length'))
  const pageToken = await tokenOf(first)
  await service.fetch(`${list}?pageSize=3&snapshot=true&pageToken=${pageToken}`)
  await searchFor({ query: { type: 'empty' }, pageSize: 4 })
  await service.fetch(`${list}/i000001`)
  await service.fetch(`${list}/none-such`)
  // These requests read nothing.
  await service.fetch(`${list}?pageSize=0`)
  await service.fetch(list, { headers: { authorization: 'Bearer nobody' } })

  await expect.poll(async () => (await rows()).length).toBe(5)
  const [page1, page2, searched, found, missing] = await rows()
  const always = {
    subject: testSubject,
    ontology_rid: collection.ontologyRid,
    object_type: 'item',
    details: null,
  }
  expect(page1).toMatchObject({
    ...always,
    action: 'listObjects',
    objects: '3',
    bytes: String(bytes),
    mode: 'snapshot',
    ended_by: 'pageSize',
    walk_id: expect.stringMatching(/^[0-9a-f]{16}$/),
  })
  expect(page2).toMatchObject({ ...always, objects: '2', ended_by: 'end', walk_id: page1?.['walk_id'] })
  expect(searched).toMatchObject({ ...always, action: 'searchObjects', objects: '4', mode: 'default' })
  expect(searched?.['walk_id']).not.toBe(page1?.['walk_id'])
  expect(found).toMatchObject({ ...always, action: 'getObject', objects: '1', walk_id: null, ended_by: null })
  expect(missing).toMatchObject({ ...always, action: 'getObject', objects: '0', bytes: '0' })
})

it('neither the table nor the log ever holds an object, a key, a filter value or a token, at any level', async () => {
  const first = await service.fetch(`${list}?pageSize=1&properties=label`)
  const pageToken = await tokenOf(first)
  await service.fetch(`${list}?pageSize=1&properties=label&pageToken=${pageToken}`)
  await service.fetch(`${list}/i000002`)
  await service.fetch(`${list}/hush-key`)
  await service.fetch(`${list}?properties.label.eq=hush-filter`)
  await service.store.applyObjectType(service.ontology, employeeDefinition)
  const filtered = `${list.replace('/item', '/employee')}?properties.fullName.eq=hush-filter`
  expect((await service.fetch(filtered)).status).toBe(200)
  await searchFor({ query: { type: 'eq', field: 'label', value: 'hush-value' } })
  await searchFor({ query: { type: 'nonsense', hush: 'hush-field' } })
  await service.fetch(`${list}?pageToken=hush-page-token&pageSize=hush-size`)
  await service.fetch(list, { headers: { authorization: 'Bearer hush-credentials-000' } })
  await expect.poll(async () => (await rows()).length).toBeGreaterThanOrEqual(9)

  const lines: string[] = []
  const log = logObservations('trace', { write: (line) => lines.push(line) })
  for (const observation of service.observations) log(observation)
  expect(lines.length).toBeGreaterThan(9)
  expect(lines.join('')).toContain('"kind":"objects-read"')
  const everything = lines.join('') + JSON.stringify(await rows())
  for (const secret of ['hush', 'i00000', 'Item ', 'Ada', testToken, pageToken]) {
    expect(everything).not.toContain(secret)
  }
})

it('the log alone has it where the table is switched off', async () => {
  const other = await serveOnFreshDatabase({ environment: { OCTAVO_AUDIT_RETENTION_DAYS: '0' } })
  const { collection: another } = await loadItems(other.store, other.ontology, 2, 'item')
  await other.fetch(`/api/v1/ontologies/${another.ontologyRid}/objects/item`)
  const written = await other.store.database.rows({ text: 'select * from octavo.audit', values: [] })
  expect(written).toEqual([])
  expect(other.observations).toContainEqual(expect.objectContaining({ kind: 'objects-read', objects: 2 }))
  await other.close()
})

it('a page is served while the table cannot be written, and what waits is written when it can', async () => {
  const before = (await rows()).length
  await service.store.database.run('alter table octavo.audit rename to away')
  const answers = await Promise.all(Array.from({ length: 5 }, () => service.fetch(list)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await expect.poll(() => service.observations.map(({ kind }) => kind)).toContain('audit-not-written')
  await service.store.database.run('alter table octavo.away rename to audit')
  await expect.poll(async () => (await rows()).length).toBe(before + 5)
})
