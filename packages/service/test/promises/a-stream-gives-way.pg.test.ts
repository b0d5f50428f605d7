// Streams of large objects, and clients that stop reading: pages wait to be sent, and everything else is served.
import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { streamErrorLineSchema } from '@octavo/protocol'
import { Value } from 'typebox/value'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { revokeAccessToken } from '../../src/manage/access-tokens.ts'
import { removeGrant } from '../../src/manage/grants.ts'
import { items, putItems } from '../support/load-items.ts'
import { searching } from '../support/page-revisions.ts'
import { linesOf, readStream, streamCall } from '../support/read-stream.ts'
import { scrape } from '../support/read-metrics.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { grantTo, newTokenOf, testToken } from '../support/test-access.ts'
import { askForPage } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'

const service = forAllTests(() =>
  serveOnFreshDatabase({
    environment: {
      // One connection for pages, one for everything else.
      OCTAVO_DATABASE_POOL_SIZE: '2',
      OCTAVO_QUEUE_MILLISECONDS: '100',
      OCTAVO_REQUEST_TIMEOUT_SECONDS: '20',
      OCTAVO_METRICS_PORT: '0',
    },
  }),
)
const large = withItems(service, 0, 'large')
const small = withItems(service, 20, 'small')

/** Far more than the buffers of two sockets hold. */
const count = 400
const pageSize = 10

beforeAll(async () => {
  await putItems(
    service.store,
    large.type,
    items(count).map((item) => ({ ...item, tags: ['x'.repeat(100_000)] })),
  )
})

/** An answer of which nothing is read until somebody does. */
async function beginStream(token = testToken): Promise<IncomingMessage> {
  const [path, init] = streamCall(large.collection, { pageSize })
  const headers = { ...init.headers, authorization: `Bearer ${token}` }
  const sent = request(service.url + path, { method: 'POST', headers, agent: false }).end(init.body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  return response
}

const pagesServed = () => service.observations.filter(({ kind }) => kind === 'page-served').length

/** Waits until the stream has filled all buffers on the way. */
async function untilItWaits(): Promise<void> {
  for (let before = -1; before !== pagesServed(); await sleep(400)) before = pagesServed()
}

const roomBytes = async () => {
  const listening = service.observations.find(({ kind }) => kind === 'metrics-listening')
  const metrics = await scrape(listening?.kind === 'metrics-listening' ? listening.address : '')
  return metrics.value('octavo_page_room_bytes')
}

const asPage = () => askForPage(service, searching, small.collection, {})

it('P267: a client that does not read holds one page, no connection and no transaction', async () => {
  const before = pagesServed()
  const response = await beginStream()
  await untilItWaits()
  const waiting = pagesServed() - before
  expect(waiting).toBeLessThan(count / pageSize)
  expect(await roomBytes()).toBeGreaterThan(0)
  expect(await roomBytes()).toBeLessThan(2 * pageSize * 100_000)
  const busy = await service.store.database.rows({
    text: `select pid from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
    values: [],
  })
  expect(busy).toEqual([])
  expect((await asPage()).status).toBe(200)
  await sleep(500)
  expect(pagesServed() - before).toBe(waiting + 1)
  const { records, end } = linesOf(await text(response))
  expect(records.map(({ properties }) => properties['id'])).toEqual(items(count).map(({ id }) => id))
  expect(end).toMatchObject({ type: 'end', objectCount: count })
  await expect.poll(roomBytes).toBe(0)
})

it('P267: a client that leaves in the middle leaves nothing behind', async () => {
  const response = await beginStream()
  await untilItWaits()
  response.destroy()
  await expect.poll(roomBytes).toBe(0)
  const before = pagesServed()
  await sleep(300)
  expect(pagesServed()).toBe(before)
  expect((await asPage()).status).toBe(200)
})

it.for(['grant', 'token'] as const)('P266, P121: a %s that is taken away ends the stream', async (what) => {
  const subject = `leaver-${what}`
  await grantTo(service.store, subject, large.collection.ontologyRid, 'reader')
  const { id, token } = await newTokenOf(service.store, { subject })
  await sleep(600)
  const response = await beginStream(token)
  await untilItWaits()
  if (what === 'token') await revokeAccessToken(service.store.database, id, new Date())
  else
    await removeGrant(service.store.database, large.collection.ontologyRid, {
      type: 'subject',
      name: subject,
    })
  await sleep(600)
  const { records, pageTokens, end } = linesOf(await text(response))
  expect(records.length).toBeLessThan(count)
  expect(pageTokens).toHaveLength(records.length / pageSize)
  expect(end).toMatchObject({
    type: 'error',
    errorName: what === 'token' ? 'Default:Unauthorized' : 'ApiFamilyNotFound',
  })
  expect(Value.Check(streamErrorLineSchema, end)).toBe(true)
})

it('P262: a failure in the middle is the last line, and the stream continues from its last page', async () => {
  const response = await beginStream()
  await untilItWaits()
  const current = large.type.tables.current
  await service.store.database.run(`alter table ${current} rename to away`)
  const broken = linesOf(await text(response))
  await service.store.database.run(
    `alter table ${large.type.schema}.away rename to ${current.split('.')[1] ?? ''}`,
  )
  expect(broken.end).toMatchObject({ type: 'error', errorName: expect.any(String) })
  expect(service.observations.findLast(({ kind }) => kind === 'request-failed')).toMatchObject({
    errorInstanceId: broken.end?.['errorInstanceId'],
  })
  const rest = await readStream(service, large.collection, { pageToken: broken.pageTokens.at(-1), pageSize })
  expect(broken.records.length + rest.records.length).toBe(count)
  expect(rest.end).toMatchObject({ type: 'end', objectCount: rest.records.length, totalCount: String(count) })
})

it('P266: a stream waits for its turn, and continues when it has it', async () => {
  const response = await beginStream()
  await untilItWaits()
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = service.store.database.transaction(async (transaction) => {
    await transaction.run(`lock table ${small.type.tables.current} in access exclusive mode`)
    held.resolve()
    await released.promise
  })
  await held.promise
  const inTheWay = asPage()
  await sleep(200)
  const before = pagesServed()
  const whole = text(response)
  // Long enough for it to be refused several times.
  await sleep(2_500)
  expect(pagesServed() - before).toBe(0)
  expect((await asPage()).status).toBe(503)
  released.resolve()
  await ended
  expect((await inTheWay).status).toBe(200)
  expect(linesOf(await whole).end).toMatchObject({ type: 'end', objectCount: count })
})
