import type { Snapshot } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { itemDefinition } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { jsonBody, listing, revisions, searching, type Collection } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { startTestService } from '../support/start-test-service.ts'
import { grantTo, newTokenOf } from '../support/test-access.ts'
import { contentOf, askForPage, readPage, walkOverHttp } from '../support/walk-over-http.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const second = forAllTests(() => startTestService({ databaseUrl: service.databaseUrl }))
const manage = manageOverHttp(service)
let before: Snapshot

const collection = (objectType: string): Collection => ({
  ontologyRid: service.ontology.rid,
  apiFamily: 'promised',
  objectType,
})

const path = '/api/promised/v1/snapshots'

const snapshot = async (body: unknown = {}): Promise<Snapshot> => {
  return contentOf<Snapshot>(answerOf(service, path, jsonBody(body)))
}

const refused = async (body: unknown) => refusalOf(await answerOf(service, path, jsonBody(body)))

const change = (edition: string) =>
  manage.commit(
    ['order', 'line'].flatMap((type) => [
      ...['a', 'b', 'c', 'd'].map((id) => put({ id, label: edition }, type)),
      remove('e', type),
    ]),
    {},
  )

beforeAll(async () => {
  for (const name of ['order', 'line', 'empty'])
    await service.store.applyObjectType(service.ontology, itemDefinition(name))
})
beforeEach(async () => {
  await change('before')
  await manage.commit(
    [put({ id: 'e', label: 'before' }, 'order'), put({ id: 'e', label: 'before' }, 'line')],
    {},
  )
  before = await snapshot({ objectTypes: ['order', 'line'] })
  await change('after')
})

it('P241: a snapshot names all types of the ontology, or those that were asked for', async () => {
  const all = await snapshot()
  expect(Object.keys(all.versions).toSorted()).toEqual(['empty', 'line', 'order'])
  const one = await snapshot({ objectTypes: ['line', 'line'] })
  expect(one.versions).toEqual({ line: all.versions['line'] })
  expect(one.snapshotToken).toMatch(/^[A-Za-z0-9_-]{1,8192}$/)
  const minutes = (Date.parse(one.readableUntil) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(59)
  expect(minutes).toBeLessThan(61)
})

it('P180: a field that is null counts as absent', async () => {
  const all = await snapshot({ objectTypes: null, at: null, version: null })
  expect(Object.keys(all.versions)).toHaveLength(3)
})

it('P241: a request without a body names all types', async () => {
  const answer = await answerOf(service, path, { method: 'POST' })
  expect(Object.keys((JSON.parse(answer.text) as Snapshot).versions)).toHaveLength(3)
})

it('P241: what cannot be named is refused, with what was probably meant', async () => {
  expect(await refused({ objectTypes: ['ordr'] })).toMatchObject(
    errorNamed('ObjectTypeNotFound', { didYouMean: ['order'] }),
  )
  expect(await refused({ objectTypes: [] })).toMatchObject({ status: 422 })
  expect(await refused({ objectTypes: Array.from({ length: 101 }, (_, i) => `t${i}`) })).toMatchObject({
    status: 422,
    parameters: { path: '/objectTypes' },
  })
  expect(await refused({ types: ['order'] })).toMatchObject({ errorName: 'UnknownParameter' })
  expect(await refused([])).toMatchObject({ status: 422 })
})

it.for(revisions)('P240: in revision $name several types are read in one state', async (revision) => {
  for (const objectType of ['order', 'line']) {
    const { pages, records } = await walkOverHttp(second, revision, collection(objectType), {
      snapshotToken: before.snapshotToken,
      pageSize: () => 2,
    })
    expect(records.map(({ properties }) => [properties['id'], properties['label']])).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((id) => [id, 'before']),
    )
    for (const page of pages) {
      expect(page).toMatchObject({ version: before.versions[objectType], totalCount: '5' })
    }
  }
})

it('P240: it selects snapshot mode by itself, and cannot be asked for in default mode', async () => {
  const ask = { snapshotToken: before.snapshotToken }
  for (const revision of revisions) {
    const plain = await askForPage(service, revision, collection('order'), ask)
    const said = await askForPage(service, revision, collection('order'), { ...ask, snapshot: true })
    expect(JSON.parse(said.text)).toMatchObject({ data: (JSON.parse(plain.text) as { data: unknown }).data })
    const refusal = refusalOf(
      await askForPage(service, revision, collection('order'), { ...ask, snapshot: false }),
    )
    expect(refusal).toMatchObject({
      parameters: revision === revisions[0] ? { parameterId: 'snapshot' } : { path: '/snapshot' },
    })
  }
})

it('P240: one object is read in the state too', async () => {
  const object = (key: string, token?: string) =>
    answerOf(
      service,
      `/api/v1/ontologies/${service.ontology.rid}/objects/order/${key}?properties=label${token === undefined ? '' : `&snapshotToken=${token}`}`,
      {},
    )
  expect(JSON.parse((await object('a', before.snapshotToken)).text)).toMatchObject({
    properties: { id: 'a', label: 'before' },
  })
  expect(JSON.parse((await object('a')).text)).toMatchObject({ properties: { id: 'a', label: 'after' } })
  expect((await object('e', before.snapshotToken)).status).toBe(200)
  expect(refusalOf(await object('e'))).toMatchObject({ errorName: 'ObjectNotFound' })
  expect(refusalOf(await object('zz', before.snapshotToken))).toMatchObject({ errorName: 'ObjectNotFound' })
})

it('P242: it belongs to no caller; what a caller may read is decided on every request', async () => {
  const ask = (token: string) => {
    const { path, init } = searching.call(collection('order'), { snapshotToken: before.snapshotToken })
    return answerOf(service, path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    })
  }
  const other = await newTokenOf(service.store, { subject: 'other' })
  expect(refusalOf(await ask(other.token))).toMatchObject({ errorName: 'ApiFamilyNotFound' })
  await grantTo(service.store, 'other', service.ontology.rid, 'reader')
  const third = await newTokenOf(service.store, { subject: 'other' })
  const { status, text } = await ask(third.token)
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ version: before.versions['order'] })
})

it('P242: a token that is none, or of something else, is refused with the reason', async () => {
  const reason = async (snapshotToken: string, objectType = 'order') =>
    Promise.all(
      revisions.map(async (revision) => {
        const { errorName, parameters } = refusalOf(
          await askForPage(service, revision, collection(objectType), { snapshotToken }),
        )
        expect(errorName).toBe('InvalidSnapshotToken')
        return parameters
      }),
    )
  const both = (parameters: object) => [parameters, parameters]
  expect(await reason('x')).toEqual(both({ reason: 'malformed' }))
  expect(await reason('')).toEqual(both({ reason: 'malformed' }))
  const { snapshotToken } = before
  const changed = `${snapshotToken.slice(0, 60)}${snapshotToken[60] === 'A' ? 'B' : 'A'}${snapshotToken.slice(61)}`
  expect(await reason(changed)).toEqual(both({ reason: 'malformed' }))
  const { nextPageToken = '' } = await readPage(service, listing, collection('order'), { pageSize: 1 })
  expect(await reason(nextPageToken)).toEqual(both({ reason: 'pageToken' }))
  expect(await reason(snapshotToken, 'empty')).toEqual(
    both({ reason: 'otherObjectType', objectType: 'empty' }),
  )
  const elsewhere = await service.store.applyOntology({
    apiName: `elsewhere-${Math.floor(performance.now())}`,
    displayName: 'Elsewhere',
    apiFamilies: ['elsewhere'],
  })
  await service.store.applyObjectType(elsewhere, itemDefinition('order'))
  const there = { ontologyRid: elsewhere.rid, apiFamily: 'elsewhere', objectType: 'order' }
  const refusal = refusalOf(await askForPage(service, searching, there, { snapshotToken }))
  expect(refusal.parameters).toEqual({ reason: 'otherOntology' })
})

it.for(revisions)(
  'P243: in revision $name the last page of a snapshot walk names the state that it has shown',
  async (revision) => {
    const { pages } = await walkOverHttp(service, revision, collection('order'), {
      snapshot: true,
      pageSize: () => 3,
      afterPage: async (_page, number) => {
        if (number === 1) await change('later')
      },
    })
    const [first, last] = [pages[0], pages.at(-1)]
    expect(first).not.toHaveProperty('snapshotToken')
    const again = await walkOverHttp(second, revision, collection('order'), {
      ...(last?.snapshotToken !== undefined && { snapshotToken: last.snapshotToken }),
      pageSize: () => 3,
    })
    expect(again.pages.map(({ data }) => data)).toEqual(pages.map(({ data }) => data))
    const plain = await walkOverHttp(service, revision, collection('order'), {})
    expect(plain.pages.at(-1)).not.toHaveProperty('snapshotToken')
  },
)

it('P244: two tokens of one state are the same request, one of another state is another', async () => {
  const [one, other] = [await snapshot(), await snapshot({ objectTypes: ['order'] })]
  expect(one.snapshotToken).not.toBe(other.snapshotToken)
  const { nextPageToken = '' } = await readPage(service, searching, collection('order'), {
    pageSize: 2,
    snapshotToken: one.snapshotToken,
  })
  const next = (ask: object) =>
    askForPage(service, searching, collection('order'), { pageSize: 2, pageToken: nextPageToken, ...ask })
  expect((await next({ snapshotToken: other.snapshotToken })).status).toBe(200)
  for (const ask of [{ snapshotToken: before.snapshotToken }, { snapshot: true }, {}]) {
    expect(refusalOf(await next(ask))).toMatchObject(
      errorNamed('InvalidPageToken', { reason: 'requestChanged', changed: ['snapshot'] }),
    )
  }
})

it('P36: a state that is no longer kept is refused, and the error names the type', async () => {
  for (const name of ['order', 'line']) {
    const type = await service.store.catalog.objectType(service.ontology, name)
    if (type === undefined) throw new Error(`no type ${name}`)
    await service.store.database.rows({
      text: `update ${type.tables.clock} set floor = version where object_type = $1`,
      values: [type.id],
    })
    const refusal = refusalOf(
      await askForPage(service, searching, collection(name), { snapshotToken: before.snapshotToken }),
    )
    expect(refusal).toMatchObject({ errorName: 'ConsistentSnapshotError', parameters: { objectType: name } })
  }
})
