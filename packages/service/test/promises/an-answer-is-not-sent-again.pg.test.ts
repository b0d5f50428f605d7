// A caller that has an answer asks for it again with its tag.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { revokeAccessToken } from '../../src/manage/access-tokens.ts'
import { removeGrant } from '../../src/manage/grants.ts'
import { refusalOf } from '../support/error-answer.ts'
import { answerOf } from '../support/answer-of.ts'
import { itemDefinition, itemId, loadItems, putItems } from '../support/load-items.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { startTestService, type TestService } from '../support/start-test-service.ts'
import { grantTo, newTokenOf } from '../support/test-access.ts'
import { withItems } from '../support/with-items.ts'

const service = forAllTests(serveOnFreshDatabase)
const other = forAllTests(() => startTestService({ databaseUrl: service.databaseUrl }))
const { type } = withItems(service, 5)
let root: string
let one: string

beforeAll(async () => {
  root = `/api/v1/ontologies/${service.ontology.rid}`
  one = `${root}/objects/items5/${itemId(1)}`
})

const ask = (path: string, ifNoneMatch?: string, more: Parameters<TestService['fetch']>[1] = {}) =>
  answerOf(service, path, {
    ...more,
    headers: { ...more.headers, ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) },
  })

const tagOf = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { status, headers: answered } = await ask(path, undefined, { headers })
  expect(status, path).toBe(200)
  return answered.get('etag') ?? 'none'
}

const paths = () => [
  one,
  `${one}?properties=rank`,
  root,
  `${root}/objectTypes/items5`,
  '/api/promised/v1/objects/types/items5',
  `/manage/v1/ontologies/${service.ontology.rid}`,
  `/manage/v1/ontologies/${service.ontology.rid}/objectTypes/items5`,
]

it('P211: an answer with one thing has a tag of its bytes, and 304 without a body to a client that has it', async () => {
  const tags = new Set<string>()
  for (const path of paths()) {
    const full = await ask(path)
    const tag = full.headers.get('etag') ?? ''
    expect(tag, path).toBe(`"${createHash('sha256').update(full.text).digest('base64url')}"`)
    tags.add(tag)
    for (const held of [tag, `W/${tag}`, `"x", ${tag}`, `"x",W/${tag} , "y"`, '*']) {
      const { status, text, headers } = await ask(path, held, {
        headers: { 'want-content-digest': 'sha-256=1' },
      })
      expect({ status, text, tag: headers.get('etag') }, `${path} ${held}`).toEqual({
        status: 304,
        text: '',
        tag,
      })
      expect(headers.get('content-digest')).toBeNull()
      expect(headers.get('content-type')).toBeNull()
      expect(headers.get('cache-control')).toBe('private, no-cache')
    }
    for (const held of ['"x"', tag.slice(1, -1), tag.toUpperCase(), '', '"*"']) {
      const { status, text } = await ask(path, held)
      expect({ status, text }, `${path} ${held}`).toEqual({ status: 200, text: full.text })
    }
  }
  expect(tags.size).toBe(paths().length)
})

it('P211, P181: HEAD has the same tag, and 304 for it', async () => {
  for (const path of paths()) {
    const tag = await tagOf(path)
    const { status, headers, text } = await ask(path, undefined, { method: 'HEAD' })
    expect({ status, tag: headers.get('etag'), text }, path).toEqual({ status: 200, tag, text: '' })
    expect((await ask(path, tag, { method: 'HEAD' })).status, path).toBe(304)
  }
})

it('P211: a connection stays open after 304', async () => {
  const tag = await tagOf(one)
  for (let i = 0; i < 20; i += 1) {
    const [not, full] = [await ask(one, tag), await ask(one)]
    expect([not.status, full.status]).toEqual([304, 200])
  }
})

it('P211: pages and refusals have no tag, and If-None-Match changes nothing for them', async () => {
  for (const path of [`${root}/objects/items5`, '/api/v1/ontologies', `${root}/objectTypes`]) {
    const { status, headers } = await ask(path, '*')
    expect({ status, tag: headers.get('etag') }, path).toEqual({ status: 200, tag: null })
  }
  const search = await ask('/api/promised/v1/objects/types/items5/search', '*', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":{"type":"empty"}}',
  })
  expect({ status: search.status, tag: search.headers.get('etag') }).toEqual({ status: 200, tag: null })
  const missing = await ask(`${root}/objects/items5/none`, '*')
  expect(refusalOf(missing)).toMatchObject({ status: 404, errorName: 'ObjectNotFound' })
  expect(missing.headers.get('etag')).toBeNull()
})

it('P211: what has changed is sent in full, on every instance, and a change back brings the tag back', async () => {
  const { collection } = await loadItems(service.store, service.ontology, 1, 'changing')
  const path = `${root}/objects/${collection.objectType}/${itemId(0)}`
  const changing = await service.store.applyObjectType(service.ontology, itemDefinition('changing'))
  const put = (rank: number) => putItems(service.store, changing, [{ id: itemId(0), rank }])
  await put(1)
  const first = await tagOf(path)
  const elsewhere = await answerOf(other, path, { headers: { 'if-none-match': first } })
  expect(elsewhere.status).toBe(304)
  await put(2)
  const changed = await ask(path, first)
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(first)
  await put(1)
  expect((await ask(path, first)).status).toBe(304)
  await service.store.commit({ parts: [{ type: changing, changes: [{ kind: 'delete', key: itemId(0) }] }] })
  expect(refusalOf(await ask(path, first))).toMatchObject({ status: 404, errorName: 'ObjectNotFound' })
})

it('P212: who has lost access is refused, whichever tag it sends', async () => {
  const { rid } = service.ontology
  await grantTo(service.store, 'leaver', rid, 'writer')
  const { id, token } = await newTokenOf(service.store, { subject: 'leaver' })
  const headers = { authorization: `Bearer ${token}` }
  await expect.poll(async () => (await ask(one, undefined, { headers })).status).toBe(200)
  const tags = await Promise.all(paths().map(async (path) => [path, await tagOf(path, headers)] as const))
  for (const [path, tag] of tags) expect((await ask(path, tag, { headers })).status, path).toBe(304)
  await removeGrant(service.store.database, rid, { type: 'subject', name: 'leaver' })
  await sleep(600)
  for (const [path, tag] of tags) {
    for (const held of [tag, '*']) expect((await ask(path, held, { headers })).status, path).toBe(404)
  }
  await revokeAccessToken(service.store.database, id, new Date())
  await sleep(600)
  for (const [path, tag] of tags) {
    for (const held of [tag, '*']) expect((await ask(path, held, { headers })).status, path).toBe(401)
  }
})

it('P212: an object that a policy has come to hide is not there, whichever tag is sent', async () => {
  const definition = {
    ...itemDefinition('hidden'),
    properties: { id: { type: 'string' as const } },
    titleProperty: 'id',
  }
  const shown = await service.store.applyObjectType(service.ontology, definition)
  await putItems(service.store, shown, [{ id: 'x' }])
  const path = `${root}/objects/hidden/x`
  const tag = await tagOf(path)
  expect((await ask(path, tag)).status).toBe(304)
  await service.store.applyObjectType(service.ontology, {
    ...definition,
    policy: { type: 'eq', field: 'id', value: { claim: 'sub' } },
  })
  for (const held of [tag, '*']) {
    expect(refusalOf(await ask(path, held))).toMatchObject({ status: 404, errorName: 'ObjectNotFound' })
  }
})

it('P212: the version of a lost change, given out again, does not bring its tag back', async () => {
  const { clock, commits, current, history, changes } = type.tables
  const tables = [clock, commits, current, history, changes]
  const run = (text: string) => service.store.database.run(text)
  const savedAs = (table: string) => `saved_${table.replaceAll(/\W/g, '_')}`
  for (const table of tables) await run(`create table ${savedAs(table)} as table ${table}`)
  const put = async (rank: number) => {
    await putItems(service.store, type, [{ id: itemId(1), rank }])
    const held = await ask(`/manage/v1/ontologies/${service.ontology.rid}/objectTypes/items5/statistics`)
    return (JSON.parse(held.text) as { version: string }).version
  }
  const lost = { version: await put(41), tag: await tagOf(one) }
  for (const table of tables) {
    await run(`delete from ${table}`)
    await run(`insert into ${table} select * from ${savedAs(table)}`)
  }
  expect(await put(42)).toBe(lost.version)
  const again = await ask(one, lost.tag)
  expect(again.status).toBe(200)
  expect(again.text).toContain('"rank":42')
  expect(again.headers.get('etag')).not.toBe(lost.tag)
})
