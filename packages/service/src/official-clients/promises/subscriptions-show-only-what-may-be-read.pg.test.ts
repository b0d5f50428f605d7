import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { revokeAccessToken } from '../../manage/access-tokens.ts'
import { removeGrant } from '../../manage/grants.ts'
import { itemId, loadItems } from '../../../test/support/load-items.ts'
import { manageOverHttp, put } from '../../../test/support/manage-over-http.ts'
import { serveOnFreshDatabase } from '../../../test/support/serve-on-fresh-database.ts'
import { startTestService, type TestService } from '../../../test/support/start-test-service.ts'
import { openSocket, requestFor, type SubscribedSocket } from '../../../test/support/subscribe-over-socket.ts'
import { grantTo, newTokenOf } from '../../../test/support/test-access.ts'
import { defineType } from '../../../test/support/define-type.ts'

const service = forAllTests(serveOnFreshDatabase)
/** Another instance on the same database: what is taken away on one holds on both. */
const other = forAllTests(() => startTestService({ databaseUrl: service.databaseUrl }))
const manage = manageOverHttp(service)

async function listener(subject: string, at: Pick<TestService, 'url'> = service) {
  await grantTo(service.store, subject, service.ontology.rid, 'reader')
  const { id, token } = await newTokenOf(service.store, { subject })
  return { tokenId: id, socket: await openSocket(service, { token, at }) }
}

const toldKeys = ({ messages }: SubscribedSocket) =>
  messages.flatMap((message) =>
    message.type === 'objectSetChanged'
      ? message.updates.map(({ object, state }) => `${String(object['__primaryKey'])} ${state}`)
      : [],
  )

const guarded = (apiName: string, policy?: ObjectTypeDefinition['policy']) =>
  service.store.applyObjectType(
    service.ontology,
    defineType(
      apiName,
      { id: 'string', reader: 'string searchable', rank: 'integer' },
      { ...(policy !== undefined && { policy }) },
    ),
  )

const ownOnly = { type: 'eq', field: 'reader', value: { claim: 'sub' } } as const

it('P365: an object that a policy hides is never sent, and one that becomes hidden is removed', async () => {
  await guarded('guarded', ownOnly)
  const commit = (...objects: object[]) =>
    manage.commit(
      objects.map((object) => put(object)),
      { objectType: 'guarded' },
    )
  await commit({ id: 'a', reader: 'ada' }, { id: 'g', reader: 'grace' })
  const ada = await listener('ada')
  const grace = await listener('grace')
  for (const { socket } of [ada, grace])
    await socket.subscribe(requestFor('guarded', { propertySet: ['rank'] }))
  await commit({ id: 'a', reader: 'ada', rank: 1 }, { id: 'new', reader: 'grace', rank: 1 })
  await ada.socket.next('objectSetChanged')
  await grace.socket.next('objectSetChanged')
  await commit({ id: 'a', reader: 'grace', rank: 2 })
  await ada.socket.next('objectSetChanged')
  await grace.socket.next('objectSetChanged')
  await commit({ id: 'a', reader: 'grace', rank: 3 }, { id: 'hidden', reader: 'nobody' })
  await grace.socket.next('objectSetChanged')
  await sleep(600)
  expect(toldKeys(ada.socket)).toEqual(['a ADDED_OR_UPDATED', 'a REMOVED'])
  expect(toldKeys(grace.socket)).toEqual(['new ADDED_OR_UPDATED', 'a ADDED_OR_UPDATED', 'a ADDED_OR_UPDATED'])
  expect(JSON.stringify(ada.socket.messages)).not.toContain('grace')
  for (const { socket } of [ada, grace]) socket.ws.close()
})

it('P365: if the policy itself changes, the set is to be loaded again, and nothing of it is sent', async () => {
  await guarded('reguarded')
  const commit = (...objects: object[]) =>
    manage.commit(
      objects.map((object) => put(object)),
      { objectType: 'reguarded' },
    )
  await commit({ id: 'a', reader: 'ada' }, { id: 'g', reader: 'grace' })
  const { socket } = await listener('ada', other)
  await socket.subscribe(requestFor('reguarded', { propertySet: ['rank'] }))
  await guarded('reguarded', ownOnly)
  await commit({ id: 'g', reader: 'grace', rank: 1 })
  await socket.next('refreshObjectSet')
  await commit({ id: 'g', reader: 'grace', rank: 2 })
  await commit({ id: 'a', reader: 'ada', rank: 2 })
  await socket.next('objectSetChanged')
  expect(toldKeys(socket)).toEqual(['a ADDED_OR_UPDATED'])
  socket.ws.close()
})

it.for(['the same', 'another'] as const)(
  'P364: a token that is revoked closes its connections on %s instance within two seconds, and no others',
  async (instance) => {
    const objectType = `revoked-${instance.replace(' ', '-')}`
    await loadItems(service.store, service.ontology, 3, objectType)
    const at = instance === 'another' ? other : service
    const { tokenId, socket } = await listener(`leaver-${objectType}`, at)
    const stays = await listener(`stays-${objectType}`, at)
    for (const each of [socket, stays.socket]) await each.subscribe(requestFor(objectType))
    await sleep(700)
    const began = performance.now()
    await revokeAccessToken(service.store.database, tokenId, new Date())
    expect((await socket.closed).code).toBe(1008)
    expect(performance.now() - began).toBeLessThan(2_000)
    await manage.commit([put({ id: itemId(1), rank: 7 })], { objectType })
    await stays.socket.next('objectSetChanged')
    expect(toldKeys(socket)).toEqual([])
    stays.socket.ws.close()
  },
)

it('P364: a grant that is removed closes the subscription within two seconds; the connection stays', async () => {
  await loadItems(service.store, service.ontology, 3, 'ungranted')
  const { socket } = await listener('ungranted', other)
  await socket.subscribe(requestFor('ungranted'))
  await sleep(700)
  const began = performance.now()
  const principal = { type: 'subject', name: 'ungranted' } as const
  await removeGrant(service.store.database, service.ontology.rid, principal)
  const closed = await socket.next('subscriptionClosed')
  expect(closed.cause).toMatchObject({ type: 'error', error: 'OntologyNotFound' })
  expect(performance.now() - began).toBeLessThan(2_000)
  await manage.commit([put({ id: itemId(1), rank: 7 })], { objectType: 'ungranted' })
  expect(await socket.subscribe(requestFor('ungranted'))).toMatchObject([{ type: 'error' }])
  await grantTo(service.store, 'ungranted', service.ontology.rid, 'reader')
  expect(await socket.subscribe(requestFor('ungranted'))).toMatchObject([{ type: 'success' }])
  expect(toldKeys(socket)).toEqual([])
  socket.ws.close()
})

it('P364: nothing more is sent to a token that has expired', async () => {
  await loadItems(service.store, service.ontology, 3, 'expiring')
  await grantTo(service.store, 'expiring', service.ontology.rid, 'reader')
  const expiresAt = new Date(Date.now() + 2_000).toISOString()
  const { token } = await newTokenOf(service.store, { subject: 'expiring', expiresAt })
  const socket = await openSocket(service, { token })
  await socket.subscribe(requestFor('expiring'))
  await sleep(2_100)
  await manage.commit([put({ id: itemId(1), rank: 7 })], { objectType: 'expiring' })
  expect((await socket.closed).code).toBe(1008)
  expect(toldKeys(socket)).toEqual([])
})
