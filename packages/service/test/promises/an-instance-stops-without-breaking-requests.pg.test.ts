// Real processes, stopped by a signal as a supervisor does, and real sockets.
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { json, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase, forAllTests } from '@octavo/dev-database/vitest'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { items, putItems } from '../support/load-items.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { searching } from '../support/page-revisions.ts'
import { linesOf, streamCall } from '../support/read-stream.ts'
import { withItems } from '../support/with-items.ts'
import { startServiceProcess } from '../support/start-service-process.ts'
import { testToken, withTestAccess } from '../support/test-access.ts'
import type { WirePage } from '../support/walk-over-http.ts'

const database = forAllTests(freshDatabase)
const store = forAllTests(() => withTestAccess(openTestStore({ databaseUrl: database.url })))
const ontology = forAllTests(() =>
  store.applyOntology({ apiName: 'stop', displayName: 'Stop', apiFamilies: ['stop'] }),
)
const { type, collection } = withItems({ store, ontology }, 0, 'item')
let instance: Awaited<ReturnType<typeof startServiceProcess>>

/** Many times what the buffers of two sockets hold. */
const large = items(200).map((item) => ({ ...item, tags: ['x'.repeat(100_000)] }))

/** What fits into one page, and is still more than those buffers hold. */
const sent = large.slice(0, 70)

beforeAll(() => putItems(store, type, large))
afterEach(() => void instance.child.kill('SIGKILL'))

const start = async (flags: readonly string[]) => {
  instance = await startServiceProcess({ databaseUrl: database.url, flags })
  return instance
}

const answerTo = async (sent: ClientRequest): Promise<IncomingMessage> => {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

const readiness = (address: string): Promise<IncomingMessage> =>
  answerTo(request(`${address}/health/ready`).end())

const askForPage = (address: string, pageSize: number, agent?: Agent): Promise<IncomingMessage> => {
  const { path, init } = searching.call(collection, { pageSize, snapshot: true })
  const headers = { ...init.headers, authorization: `Bearer ${testToken}` }
  return answerTo(request(address + path, { agent, method: init.method, headers }).end(init.body))
}

const refusesConnections = async (address: string): Promise<boolean> => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  const refused = await Promise.race([
    once(socket, 'connect').then(() => false),
    once(socket, 'error').then(() => true),
  ]).catch(() => true)
  socket.destroy()
  return refused
}

it('P161: on SIGTERM it first says that it is not ready, while pages are still answered', async () => {
  const { address, child, logged, exitCode } = await start(['--stop-delay-seconds=4'])
  expect((await readiness(address)).statusCode).toBe(200)
  child.kill('SIGTERM')
  expect(await logged('service-stopping')).toMatchObject([{ because: 'SIGTERM', delaySeconds: 4 }])
  const ready = await readiness(address)
  expect(ready.statusCode).toBe(503)
  expect(await json(ready)).toEqual({
    status: 'unready',
    reasons: [{ name: 'stopping', description: 'The service is stopping; use another instance.' }],
  })
  const page = await askForPage(address, 10)
  expect(page.statusCode).toBe(200)
  expect(((await json(page)) as WirePage).data).toHaveLength(10)
  expect(await exitCode).toBe(0)
  expect(await refusesConnections(address)).toBe(true)
})

it('P161: a connection that is kept alive is closed by the answer to its next request', async () => {
  const { address, child, logged, exitCode } = await start(['--stop-delay-seconds=4'])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const first = await askForPage(address, 1, agent)
  const { localPort } = first.socket
  await json(first)
  expect(first.headers.connection).toBe('keep-alive')
  child.kill('SIGTERM')
  await logged('service-stopping')
  const next = await askForPage(address, 1, agent)
  expect(next.socket.localPort).toBe(localPort)
  expect(next.headers.connection).toBe('close')
  expect(((await json(next)) as WirePage).data).toHaveLength(1)
  expect(await exitCode).toBe(0)
})

it('P161: a page that is being sent when no more are taken arrives whole', async () => {
  const { address, child, exitCode } = await start(['--stop-delay-seconds=0'])
  const agent = new Agent({ keepAlive: true })
  const page = await askForPage(address, sent.length, agent)
  // Its headers are already sent, and allow another request on the connection.
  expect(page.headers.connection).toBe('keep-alive')
  child.kill('SIGTERM')
  await expect.poll(() => refusesConnections(address)).toBe(true)
  await sleep(300)
  expect(child.exitCode).toBe(null)
  const { data } = (await json(page)) as WirePage
  expect(data).toHaveLength(sent.length)
  expect(data.map(({ properties }) => properties['id'])).toEqual(sent.map(({ id }) => id))
  // Not after the 72 seconds that a connection may be idle.
  expect(await exitCode).toBe(0)
})

it('P268: a stream ends after its current page when no more requests are taken, and continues elsewhere', async () => {
  const pageSize = 10
  const stream = async (address: string, pageToken?: string) => {
    const [path, init] = streamCall(collection, { pageSize, pageToken })
    const headers = { ...init.headers, authorization: `Bearer ${testToken}` }
    return answerTo(request(address + path, { method: 'POST', headers }).end(init.body))
  }
  const { address, child, exitCode } = await start(['--stop-delay-seconds=0'])
  const response = await stream(address)
  // The buffers on the way are full by then.
  await sleep(500)
  child.kill('SIGTERM')
  await expect.poll(() => refusesConnections(address)).toBe(true)
  const { records, pageTokens, end } = linesOf(await text(response))
  expect(end).toMatchObject({ type: 'error', errorName: 'Overloaded', parameters: { retryAfterSeconds: 1 } })
  expect(records.length).toBeLessThan(large.length)
  expect(pageTokens).toHaveLength(records.length / pageSize)
  expect(await exitCode).toBe(0)
  const other = await start([])
  const rest = linesOf(await text(await stream(other.address, pageTokens.at(-1))))
  expect([...records, ...rest.records].map(({ properties }) => properties['id'])).toEqual(
    large.map(({ id }) => id),
  )
  expect(rest.end).toMatchObject({ type: 'end' })
})

it('SIGINT does not wait for a load balancer', async () => {
  const { child, logged, exitCode } = await start(['--stop-delay-seconds=600'])
  child.kill('SIGINT')
  expect(await exitCode).toBe(0)
  expect(await logged('service-stopping')).toMatchObject([{ because: 'SIGINT', delaySeconds: 0 }])
})

it('a connection that never said anything does not hold up the stop', async () => {
  const { address, child, exitCode } = await start(['--stop-grace-seconds=8'])
  const silent = connect(Number(new URL(address).port), '127.0.0.1')
  await once(silent, 'connect')
  child.kill('SIGTERM')
  expect(await exitCode).toBe(0)
  silent.destroy()
})
