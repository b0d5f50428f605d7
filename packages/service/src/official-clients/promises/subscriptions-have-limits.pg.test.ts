import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { itemId, loadItems, putItems } from '../../../test/support/load-items.ts'
import { manageOverHttp, put } from '../../../test/support/manage-over-http.ts'
import { serveOnFreshDatabase } from '../../../test/support/serve-on-fresh-database.ts'
import { idIn, openSocket, requestFor } from '../../../test/support/subscribe-over-socket.ts'
import { grantTo, newTokenOf } from '../../../test/support/test-access.ts'
import { withItems } from '../../../test/support/with-items.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)
withItems(service, 3, 'limited')

const { subscription } = limits

it('P366: a connection has 100 subscriptions; those beyond are refused with one answer', async () => {
  const { subscribe, ws } = await openSocket(service)
  const requests = Array.from({ length: subscription.perConnection + 5 }, () => requestFor('limited'))
  const responses = await subscribe(...requests)
  expect(responses).toHaveLength(subscription.perConnection + 1)
  expect(responses.slice(0, -1).every(({ type }) => type === 'success')).toBe(true)
  expect(responses.at(-1)?.type).toBe('error')
  expect(JSON.stringify(responses.at(-1))).toContain('at most 100 requests')
  expect(await subscribe(...requests.slice(0, subscription.perConnection))).toEqual(responses.slice(0, -1))
  ws.close()
})

const many = <T>(count: number, item: T): readonly T[] => Array.from({ length: count }, () => item)

it.for([
  ['nothing', []],
  ['one that is no request', [1]],
  ['a hundred that are none', many(100, 1)],
  ['as many that are none as a message may have', many(500_000, 1)],
  ['a type that is none', many(1_000, requestFor('limitde'))],
  ['types that are none', many(1_000, 0).map((_, i) => requestFor(`${i}${'x'.repeat(200)}`))],
  ['a long name', [requestFor('é'.repeat(200_000))]],
  [
    'properties that are none',
    [requestFor('limited', { propertySet: many(5_000, 0).map((_, i) => `no${i}`) })],
  ],
  ['good and bad ones', many(50, [requestFor('limited'), 1]).flat()],
] as const)('P391: a message is answered shortly: %s', async ([, requests]) => {
  const { ws, next } = await openSocket(service)
  const message = JSON.stringify({ id: 'i', requests })
  ws.send(message)
  const answer = JSON.stringify(await next('subscribeResponses'))
  const most = subscription.answerPerByte * message.length + subscription.answerBytes
  expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(most)
  ws.close()
})

it.for([
  ['a message of more than 1 MiB', 'x'.repeat(subscription.messageBytes + 1), 1009],
  ['a message that is not JSON', '{"id":', 1007],
  ['a message without an id', '{"requests":[]}', 1007],
  ['a message with a field that is not known', '{"id":"1","requests":[],"more":1}', 1007],
  [
    'a deeply nested message',
    `{"id":"1","requests":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    undefined,
  ],
  ['bytes', Buffer.from('{"id":"1","requests":[]}'), 1003],
] as const)('P366: %s ends at most its own connection', async ([, message, code]) => {
  const bystander = await openSocket(service)
  const socket = await openSocket(service)
  socket.ws.send(message)
  if (code !== undefined) expect((await socket.closed).code).toBe(code)
  else expect((await socket.next('subscribeResponses')).responses).toMatchObject([{ type: 'error' }])
  expect(await bystander.subscribe(requestFor('limited'))).toMatchObject([{ type: 'success' }])
  bystander.ws.close()
  socket.ws.close()
})

it('P366: messages are answered at most 10 a second, in order; with more than 100 unanswered the connection ends', async () => {
  const socket = await openSocket(service)
  const began = performance.now()
  for (let i = 0; i < 20; i += 1) socket.ws.send(JSON.stringify({ id: String(i), requests: [] }))
  const ids: string[] = []
  for (let i = 0; i < 20; i += 1) ids.push((await socket.next('subscribeResponses')).id)
  expect(ids).toEqual(Array.from({ length: 20 }, (_, i) => String(i)))
  expect(performance.now() - began).toBeGreaterThan(1_800)
  for (let i = 0; i < 2_000; i += 1) socket.ws.send(JSON.stringify({ id: String(i), requests: [] }))
  const ended = performance.now()
  expect((await socket.closed).code).toBe(1008)
  expect(performance.now() - ended).toBeLessThan(5_000)
})

it('P394: what a caller sends and does not end fills no more than its share, and the others are answered', async () => {
  const count = (2 * subscription.bytesOfCaller) / subscription.messageBytes
  const senders = await Promise.all(many(count, 0).map(() => openSocket(service)))
  await grantTo(service.store, 'beside', service.ontology.rid, 'reader')
  const { token } = await newTokenOf(service.store, { subject: 'beside' })
  const beside = await openSocket(service, { token })
  // A part of a message, whose end never comes.
  for (const { ws } of senders) ws.send('x'.repeat(subscription.messageBytes - 1), { fin: false })
  expect((await Promise.any(senders.map(({ closed }) => closed))).code).toBe(1008)
  expect(await beside.subscribe(requestFor('limited'))).toMatchObject([{ type: 'success' }])
  for (const { ws } of senders) ws.terminate()
  const again = await openSocket(service)
  await expect
    .poll(async () => (await again.subscribe(requestFor('limited')))[0]?.type, { timeout: 10_000 })
    .toBe('success')
  for (const { ws } of [beside, again]) ws.close()
})

it('P367: what a client does not read does not pile up: it gets less, or has to load again, and slows nobody', async () => {
  const { type } = await loadItems(service.store, service.ontology, 0, 'heavy')
  const slow = await openSocket(service)
  const quick = await openSocket(service)
  const wanted = requestFor('heavy', { propertySet: ['label'] })
  const followed = Array.from({ length: 6 }, () => wanted)
  const ids = (await slow.subscribe(...followed)).map(idIn)
  await quick.subscribe(wanted)
  slow.ws.pause()
  const rounds = 50
  // Several megabytes: more than the buffers of both ends of the connection take.
  for (let round = 0; round < rounds; round += 1) {
    const label = `${round}${'x'.repeat(990)}`
    await putItems(
      service.store,
      type,
      Array.from({ length: 100 }, (_, i) => ({ id: itemId(i), rank: round, label })),
    )
    expect((await quick.next('objectSetChanged')).updates).toHaveLength(100)
  }
  slow.ws.resume()
  await slow.next('refreshObjectSet')
  const changes = slow.messages.filter((message) => message.type === 'objectSetChanged')
  expect(changes.length).toBeLessThan((rounds * followed.length) / 2)
  await sleep(2_000)
  await manage.commit([put({ id: 'after', rank: 1 })], { objectType: 'heavy' })
  const toldAfter = () =>
    slow.messages.flatMap((message) =>
      message.type === 'objectSetChanged' && JSON.stringify(message).includes('"after"') ? [message.id] : [],
    )
  await expect.poll(() => toldAfter().toSorted(), { timeout: 20_000 }).toEqual(ids.toSorted())
  for (const { ws } of [slow, quick]) ws.close()
}, 120_000)

const transactions = async () => {
  const [row] = await service.store.database.rows({
    text: `select sum(xact_commit)::text as committed from pg_stat_database where datname = current_database()`,
    values: [],
  })
  return Number(row?.['committed'])
}
/** PostgreSQL counts a transaction a while after it was committed. */
const countedMs = 2_000

it('P392: a hundred subscriptions that begin together ask the database no more than a few do', async () => {
  const { subscribe, ws } = await openSocket(service)
  await subscribe(requestFor('limited'))
  await sleep(countedMs)
  const before = await transactions()
  const requests = many(subscription.perConnection, 0).map((_, i) =>
    requestFor('limited', {
      objectSet: {
        type: 'filter',
        objectSet: { type: 'base', objectType: 'limited' },
        where: { type: 'eq', field: 'id', value: itemId(i) },
      },
    }),
  )
  expect((await subscribe(...requests)).every(({ type }) => type === 'success')).toBe(true)
  await sleep(countedMs)
  // Clocks are looked at five times a second meanwhile.
  expect((await transactions()) - before).toBeLessThan(subscription.perConnection / 2)
  ws.close()
})

it('P366: when one caller has all subscriptions that it may have, another one still gets some', async () => {
  const sockets = await Promise.all(
    many(subscription.allOfCaller / subscription.perConnection, 0).map(() => openSocket(service)),
  )
  const requests = many(subscription.perConnection, requestFor('limited'))
  const answers = await Promise.all(sockets.map(({ subscribe }) => subscribe(...requests)))
  expect(answers.flat().every(({ type }) => type === 'success')).toBe(true)
  const further = await openSocket(service)
  expect(await further.subscribe(requestFor('limited'))).toEqual([{ type: 'qos' }])
  await grantTo(service.store, 'another', service.ontology.rid, 'reader')
  const { token } = await newTokenOf(service.store, { subject: 'another' })
  const other = await openSocket(service, { token })
  expect(await other.subscribe(requestFor('limited'))).toMatchObject([{ type: 'success' }])
  await sockets[0]?.subscribe()
  expect(await further.subscribe(requestFor('limited'))).toMatchObject([{ type: 'success' }])
  for (const { ws } of [...sockets, further, other]) ws.close()
}, 60_000)

it('P369: while nothing changes, many subscriptions ask the database no more than one does', async () => {
  const inSeconds = async (seconds: number) => {
    const before = await transactions()
    await sleep(seconds * 1_000)
    return (await transactions()) - before
  }
  const one = await openSocket(service)
  await one.subscribe(requestFor('limited'))
  await sleep(countedMs)
  const ofOne = await inSeconds(5)
  const many = await Promise.all(Array.from({ length: 20 }, () => openSocket(service)))
  for (const { subscribe } of many)
    await subscribe(...Array.from({ length: 20 }, () => requestFor('limited')))
  await sleep(countedMs)
  const ofMany = await inSeconds(5)
  expect(ofOne).toBeGreaterThan(5)
  for (const { ws } of [one, ...many]) ws.close()
  // Were each of them to ask for itself, it would be 401 times as many.
  expect(ofMany).toBeLessThan(ofOne * 10)
}, 60_000)

it('P366, P369: what a connection had is given back when it ends, however it ends', async () => {
  for (const end of ['close', 'terminate'] as const) {
    const socket = await openSocket(service)
    await socket.subscribe(requestFor('limited'), requestFor('limited'))
    socket.ws[end]()
    await once(socket.ws, 'close')
  }
  const seen = (kind: string) => service.observations.filter((each) => each.kind === kind).length
  await expect.poll(() => seen('socket-opened') - seen('socket-closed'), { timeout: 10_000 }).toBe(0)
})
