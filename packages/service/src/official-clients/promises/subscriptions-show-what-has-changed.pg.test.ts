import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits, type ObjectTypeDefinition } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { itemDefinition, itemId, loadItems, putItems } from '../../../test/support/load-items.ts'
import { manageOverHttp, put, remove } from '../../../test/support/manage-over-http.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { serveOnFreshDatabase } from '../../../test/support/serve-on-fresh-database.ts'
import { startTestService } from '../../../test/support/start-test-service.ts'
import {
  idIn,
  openSocket,
  refusalOfSocket,
  requestFor,
  socketPath,
} from '../../../test/support/subscribe-over-socket.ts'
import { newTokenOf, testSubject } from '../../../test/support/test-access.ts'
import { answerOf } from '../../../test/support/answer-of.ts'
import { refusalOf } from '../../../test/support/error-answer.ts'
import { defineType } from '../../../test/support/define-type.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const filtered = (objectType: string, where: object) =>
  requestFor(objectType, { objectSet: { type: 'filter', objectSet: { type: 'base', objectType }, where } })

const searchable = (apiName: string): ObjectTypeDefinition => {
  const definition = itemDefinition(apiName)
  const { rank, label } = definition.properties
  if (rank === undefined || label === undefined) throw new Error('items have changed')
  const properties = { rank: { ...rank, searchable: true }, label: { ...label, searchable: true } }
  return { ...definition, properties: { ...definition.properties, ...properties } }
}

it('P360: the token comes as a protocol, which is repeated', async () => {
  const { ws } = await openSocket(service)
  expect(ws.protocol).toMatch(/^Bearer-oct_/)
  ws.close()
})

it('P360: a caller that may not read is refused as elsewhere, before there is a connection', async () => {
  const opening = (options: Parameters<typeof openSocket>[1]) => refusalOfSocket(openSocket(service, options))
  expect(await opening({ token: 'oct_x' })).toMatch(/^401 .*Default:Unauthorized/)
  const writer = await newTokenOf(service.store, { subject: testSubject, scopes: ['api:ontologies-write'] })
  expect(await opening({ token: writer.token })).toMatch(/^403 .*ApiUsageDenied/)
  const stranger = await newTokenOf(service.store, { subject: 'stranger' })
  expect(await opening({ token: stranger.token })).toMatch(/^404 .*OntologyNotFound/)
  expect(await opening({ ontology: 'ri.ontology.main.ontology.none' })).toMatch(/^404 .*OntologyNotFound/)
})

it('P360: without a web socket there is nothing to subscribe to', async () => {
  const answer = await answerOf(service, socketPath(service.ontology.rid))
  expect(refusalOf(answer)).toMatchObject({ status: 400, parameters: { parameterId: 'Upgrade' } })
})

it.for([
  ['another protocol is ignored', '/health/live', 'h2c', 200],
  ['a web socket elsewhere is ignored', '/health/live', 'websocket', 200],
  ['a path that does not exist is refused', '/api/v2/ontologySubscriptions/none', 'websocket', 404],
] as const)('P360: %s', async ([, path, upgrade, status]) => {
  const asked = get(service.url + path, { headers: { connection: 'upgrade', upgrade } })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(status)
  expect(response.headers['x-request-id']).toBeDefined()
})

it('P361: every request has an answer, in order; a refused one takes nothing from the others', async () => {
  await loadItems(service.store, service.ontology, 3, 'ordered')
  const { subscribe, ws } = await openSocket(service)
  expect(await subscribe()).toEqual([])
  const responses = await subscribe(
    requestFor('ordered'),
    requestFor('orderd'),
    { objectSet: { type: 'interfaceBase', interfaceType: 'x' }, propertySet: [] },
    'nonsense',
    requestFor('ordered', { propertySet: ['rnak'] }),
    requestFor('ordered', { propertySet: ['label'] }),
  )
  expect(
    responses.map((response) => (response.type === 'error' ? response.errors[0]?.error : response.type)),
  ).toEqual([
    'success',
    'ObjectTypeNotFound',
    'UnsupportedObjectSet',
    'Conjure:UnprocessableEntity',
    'PropertiesNotFound',
    'success',
  ])
  expect(JSON.stringify(responses[1])).toContain('ordered')
  ws.close()
})

it('P361: a request that is sent again keeps its id, whatever else changes; equal ones have ids of their own', async () => {
  await loadItems(service.store, service.ontology, 3, 'kept')
  const { subscribe, ws } = await openSocket(service)
  const [one, other] = [requestFor('kept'), requestFor('kept', { propertySet: [] })]
  const ids = async (...requests: object[]) => (await subscribe(...requests)).map(idIn)
  const [first = '', second = ''] = await ids(one, other)
  expect(first).not.toBe(second)
  expect(await ids(other, one)).toEqual([second, first])
  expect(await ids(one, other)).toEqual([first, second])
  const [again, twin] = await ids(one, one)
  expect(again).toBe(first)
  expect([first, second]).not.toContain(twin)
  ws.close()
})

it('P361: nothing more is sent for a set that has left the list', async () => {
  await loadItems(service.store, service.ontology, 3, 'dropped')
  await loadItems(service.store, service.ontology, 3, 'followed')
  const { subscribe, next, messages, ws } = await openSocket(service)
  await subscribe(requestFor('dropped'), requestFor('followed'))
  await subscribe(requestFor('followed'))
  await manage.commit([put({ id: itemId(1), rank: 70 })], { objectType: 'dropped' })
  await sleep(600)
  await manage.commit([put({ id: itemId(1), rank: 71 })], { objectType: 'followed' })
  expect((await next('objectSetChanged')).updates).toMatchObject([{ object: { __apiName: 'followed' } }])
  expect(messages.filter(({ type }) => type === 'objectSetChanged')).toHaveLength(1)
  ws.close()
})

it('P362: each object that is put, changed or deleted is sent as a flat record with its id', async () => {
  await loadItems(service.store, service.ontology, 3, 'shown')
  const { subscribe, next, ws } = await openSocket(service)
  const [id = ''] = (await subscribe(requestFor('shown'))).map(idIn)
  await manage.commit(
    [
      put({ id: itemId(1), rank: 7, label: 'not "asked" for' }),
      put({ id: 'new "ü"', rank: 1 }),
      remove(itemId(2)),
    ],
    { objectType: 'shown' },
  )
  const changed = await next('objectSetChanged')
  expect(changed.id).toBe(id)
  const rid: unknown = expect.stringMatching(/^ri\..*\.object\..*/)
  expect(changed.updates.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual([
    {
      type: 'object',
      state: 'ADDED_OR_UPDATED',
      object: {
        __primaryKey: itemId(1),
        __apiName: 'shown',
        __title: 'not "asked" for',
        __rid: rid,
        id: itemId(1),
        rank: 7,
      },
    },
    {
      type: 'object',
      state: 'REMOVED',
      object: { __primaryKey: itemId(2), __apiName: 'shown', __rid: rid, id: itemId(2) },
    },
    {
      type: 'object',
      state: 'ADDED_OR_UPDATED',
      object: { __primaryKey: 'new "ü"', __apiName: 'shown', __rid: rid, id: 'new "ü"', rank: 1 },
    },
  ])
  const removed = changed.updates.find(({ state }) => state === 'REMOVED')?.object['__rid']
  const answer = await answerOf(service, `/api/v1/ontologies/${service.ontology.rid}/objects/shown`)
  const someRid = (JSON.parse(answer.text) as { data: { rid: string }[] }).data[0]?.rid ?? ''
  expect(removed).toBe(someRid.replace(/[0-9a-f]+$/, Buffer.from(itemId(2)).toString('hex')))
  ws.close()
})

it('P362: an object that leaves the set is removed, and one that was never in it is not sent', async () => {
  await service.store.applyObjectType(service.ontology, searchable('leaving'))
  await manage.commit([put({ id: 'a', rank: 1 }), put({ id: 'b', rank: 50 })], { objectType: 'leaving' })
  const { subscribe, next, ws } = await openSocket(service)
  expect(await subscribe(filtered('leaving', { type: 'lt', field: 'rank', value: 10 }))).toMatchObject([
    { type: 'success' },
  ])
  await manage.commit([put({ id: 'a', rank: 60 }), put({ id: 'b', rank: 61 }), put({ id: 'c', rank: 2 })], {
    objectType: 'leaving',
  })
  const { updates } = await next('objectSetChanged')
  expect(updates.map(({ object, state }) => `${String(object['__primaryKey'])} ${state}`).toSorted()).toEqual(
    ['a REMOVED', 'c ADDED_OR_UPDATED'],
  )
  ws.close()
})

it('P362: keys have the JSON type of their property, also when the object is gone', async () => {
  const { store, ontology } = service
  const type = await store.applyObjectType(ontology, defineType('numbered', { number: 'integer' }))
  await store.commit({ parts: [{ type, changes: [putObject(type, { number: 7 })] }] })
  const { subscribe, next, ws } = await openSocket(service)
  await subscribe(requestFor('numbered', { propertySet: [], objectLoadingResponseOptions: null }))
  await manage.commit([put({ number: 8 }), remove(7)], { objectType: 'numbered' })
  expect((await next('objectSetChanged')).updates).toEqual([
    {
      type: 'object',
      state: 'ADDED_OR_UPDATED',
      object: { __primaryKey: 8, __apiName: 'numbered', __title: '8', number: 8 },
    },
    { type: 'object', state: 'REMOVED', object: { __primaryKey: 7, __apiName: 'numbered', number: 7 } },
  ])
  ws.close()
})

it('P363: a difference with too many objects or bytes is a refresh, and later ones are sent again', async () => {
  const { type } = await loadItems(service.store, service.ontology, 3, 'large')
  const { subscribe, next, messages, ws } = await openSocket(service)
  const [id] = (await subscribe(requestFor('large', { propertySet: ['label'] }))).map(idIn)
  await putItems(
    service.store,
    type,
    Array.from({ length: limits.subscription.objects + 1 }, (_, i) => ({ id: `many${i}`, rank: 1 })),
  )
  expect(await next('refreshObjectSet')).toEqual({ type: 'refreshObjectSet', id, objectType: 'large' })
  await putItems(
    service.store,
    type,
    Array.from({ length: limits.subscription.bytes / 900 + 1 }, (_, i) => ({
      id: `many${i}`,
      label: 'x'.repeat(900),
    })),
  )
  await next('refreshObjectSet')
  await manage.commit([put({ id: 'few', rank: 1 })], { objectType: 'large' })
  expect((await next('objectSetChanged')).updates).toHaveLength(1)
  expect(messages.filter((message) => message.type === 'objectSetChanged')).toHaveLength(1)
  ws.close()
})

it('P363: another history is a refresh', async () => {
  const { type } = await loadItems(service.store, service.ontology, 3, 'restored')
  const { subscribe, next, ws } = await openSocket(service)
  await subscribe(requestFor('restored'))
  await service.store.database.rows({
    text: `update ${type.tables.commits} set tag = left(md5(tag), 16) where object_type = $1`,
    values: [type.id],
  })
  await next('refreshObjectSet')
  await manage.commit([put({ id: 'later', rank: 1 })], { objectType: 'restored' })
  expect((await next('objectSetChanged')).updates).toMatchObject([{ object: { __primaryKey: 'later' } }])
  ws.close()
})

it('P363: a set that follows links is refreshed when any of its types changes', async () => {
  const { store, ontology } = service
  await store.applyObjectType(ontology, { ...searchable('near'), links: {} })
  await store.applyObjectType(ontology, {
    ...searchable('far'),
    links: { toNear: { objectType: 'near', foreignKeyProperty: 'label', reverse: 'toFar' } },
  })
  await manage.commit([put({ id: 'n', rank: 1 })], { objectType: 'near' })
  await manage.commit([put({ id: 'f', rank: 1, label: 'n' })], { objectType: 'far' })
  const { subscribe, next, messages, ws } = await openSocket(service)
  const around = { type: 'searchAround', objectSet: { type: 'base', objectType: 'far' }, link: 'toNear' }
  await subscribe(requestFor('near', { objectSet: around }))
  for (const objectType of ['far', 'near', 'far']) {
    await manage.commit([put({ id: `${objectType}${messages.length}`, rank: 2 })], { objectType })
    expect(await next('refreshObjectSet')).toMatchObject({ objectType: 'near' })
  }
  expect(messages.some(({ type }) => type === 'objectSetChanged')).toBe(false)
  ws.close()
})

it('P368: when the instance stops, the connection is closed with 1001, and it stops at once', async () => {
  await loadItems(service.store, service.ontology, 3, 'stopping')
  const other = await startTestService({ databaseUrl: service.databaseUrl })
  const { subscribe, closed, messages } = await openSocket(service, { at: other })
  await subscribe(requestFor('stopping'))
  const began = performance.now()
  await other.close()
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(await closed).toMatchObject({ code: 1001 })
  expect(messages.map(({ type }) => type)).toEqual(['subscribeResponses'])
})

it('P369: what is sent is audited as a read, once for each receiver', async () => {
  await loadItems(service.store, service.ontology, 3, 'audited')
  const sockets = await Promise.all([openSocket(service), openSocket(service)])
  for (const { subscribe } of sockets) await subscribe(requestFor('audited'))
  await manage.commit([put({ id: itemId(1), rank: 7 })], { objectType: 'audited' })
  for (const { next } of sockets) await next('objectSetChanged')
  const reads = service.observations.filter(
    (seen) => seen.kind === 'objects-read' && seen.objectType === 'audited',
  )
  expect(reads).toMatchObject(
    sockets.map(() => ({ subject: testSubject, endpoint: 'subscribeToObjectSetsV2', objects: 1 })),
  )
  for (const { ws } of sockets) ws.close()
})
