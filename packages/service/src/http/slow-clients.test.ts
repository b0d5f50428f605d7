// Slow clients, over raw sockets, against a server with short time-outs.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { afterEach, expect, it } from 'vitest'
import type { Observation } from '../observe/observation.ts'
import { httpServerOf } from '../../test/support/http-server-of.ts'
import { defaultListener, type ListenerSettings } from './listener-settings.ts'
import { describedAs } from './openapi/described-as.ts'
import { clientTimes } from './slow-clients.ts'

const patient = { ...clientTimes, checkSeconds: 0.05 }
const long = 'x'.repeat(64 * 1_024 * 1_024)

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function serve(listener: Partial<ListenerSettings>) {
  const observations: Observation[] = []
  const app = httpServerOf({
    authenticate: () => Promise.reject(new Error('not reached')),
    observe: (observation) => observations.push(observation),
    listener: { ...defaultListener, ...listener },
    routes: [
      async (server) => {
        const route = {
          summary: 'x',
          tag: 'Health',
          right: 'public',
          answer: Type.Object({}),
          errors: [],
        } as const
        server.get('/get', describedAs({ ...route, operationId: 'a' }), () => ({}))
        server.get('/long', describedAs({ ...route, operationId: 'b' }), (_, reply) => reply.send(long))
        server.post('/post', describedAs({ ...route, operationId: 'c' }), () => ({}))
      },
    ],
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  ends.push(() => app.close())
  return { observations, open: () => openSocket(Number(port)) }
}

interface RawClient {
  readonly socket: Socket
  readonly received: () => string
  /** Resolves with the seconds from now until the other side has closed. */
  readonly closed: () => Promise<number>
}

function openSocket(port: number): RawClient {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  socket.on('error', () => {})
  const close = new Promise((resolve) => socket.once('close', resolve))
  ends.push(async () => socket.destroy())
  return {
    socket,
    received: () => text,
    closed: async () => {
      const since = performance.now()
      await Promise.race([
        close,
        sleep(10_000).then(() => {
          throw new Error('still open')
        }),
      ])
      return (performance.now() - since) / 1_000
    },
  }
}

const get = 'GET /get HTTP/1.1\r\nHost: a\r\n\r\n'
const post = (length: number) =>
  `POST /post HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

it('a client that says nothing, or does not finish its headers, is cut off', async () => {
  const { open } = await serve({ times: { ...patient, headersSeconds: 0.3 } })
  const silent = open()
  const halfway = open()
  halfway.socket.write('GET /get HTTP/1.1\r\nHost: a\r\nX-Slow: ')
  const drip = setInterval(() => halfway.socket.write('x'), 50)
  try {
    const [silentSeconds, halfwaySeconds] = await Promise.all([silent.closed(), halfway.closed()])
    expect(silentSeconds).toBeLessThan(3)
    expect(halfwaySeconds).toBeLessThan(3)
  } finally {
    clearInterval(drip)
  }
})

it('a body that stops, and one that drips, are cut off', async () => {
  const { open } = await serve({ times: { ...patient, bodySeconds: 0.3 } })
  const stopped = open()
  stopped.socket.write(`${post(10)}{`)
  const dripping = open()
  dripping.socket.write(post(1_000_000))
  const drip = setInterval(() => dripping.socket.write(' '), 50)
  try {
    expect(await stopped.closed()).toBeLessThan(3)
    expect(await dripping.closed()).toBeLessThan(3)
    expect(stopped.received() + dripping.received()).toBe('')
  } finally {
    clearInterval(drip)
  }
})

it('a long body that comes along at a pace is read to its end', async () => {
  const { open } = await serve({ times: { ...patient, bodySeconds: 0.3 } })
  const { socket, received } = open()
  socket.write(post(800_002))
  for (let part = 0; part < 20; part += 1) {
    socket.write(' '.repeat(40_000))
    await sleep(50)
  }
  socket.write('{}')
  await expect.poll(received).toContain('HTTP/1.1 200 OK')
})

it('a request as a whole has a time, whatever its pace', async () => {
  const { open } = await serve({ times: { ...patient, headersSeconds: 0.3, requestSeconds: 0.5 } })
  const { socket, closed } = open()
  socket.write(post(1_000_000))
  const flow = setInterval(() => socket.write(' '.repeat(20_000)), 200)
  try {
    expect(await closed()).toBeLessThan(3)
  } finally {
    clearInterval(flow)
  }
})

it('a client that takes nothing of a long answer is cut off, one that takes it gets it all', async () => {
  const { open } = await serve({ times: { ...patient, answerSeconds: 1 } })
  const request = 'GET /long HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const stuck = open()
  stuck.socket.write(request)
  await new Promise((resolve) => stuck.socket.once('data', resolve))
  stuck.socket.pause()
  await sleep(3_000)
  stuck.socket.resume()
  await stuck.closed()
  expect(stuck.received().length).toBeLessThan(long.length)

  const taking = open()
  taking.socket.write(request)
  await taking.closed()
  expect(taking.received().length).toBeGreaterThan(long.length)
})

it('a connection without another request is closed after its time, and serves until then', async () => {
  const { open } = await serve({ times: { ...patient, idleSeconds: 0.5 } })
  const { socket, received, closed } = open()
  socket.write(get)
  await expect.poll(received).toContain('200 OK')
  socket.write(get)
  await expect.poll(() => received().match(/200 OK/g)).toHaveLength(2)
  // Node adds a second of grace to the time-out that it announces to the client.
  expect(await closed()).toBeLessThan(4)
})

it('connections past the maximum are closed at once, and one that ends makes room', async () => {
  const { open, observations } = await serve({ maxConnections: 2 })
  const first = open()
  const second = open()
  for (const { socket, received } of [first, second]) {
    socket.write(get)
    await expect.poll(received).toContain('200 OK')
  }
  const third = open()
  third.socket.write(get)
  expect(await third.closed()).toBeLessThan(3)
  expect(third.received()).toBe('')
  expect(observations).toContainEqual({ kind: 'connections-dropped', dropped: 1, maximum: 2 })

  first.socket.destroy()
  await expect
    .poll(async () => {
      const next = open()
      next.socket.write(get)
      await sleep(500)
      const received = next.received()
      // Otherwise one that is served later would take the room of those after it.
      next.socket.destroy()
      return received
    })
    .toContain('200 OK')
})

it('P111: a body that is announced too long is refused before it is sent', async () => {
  const { open } = await serve({ times: patient })
  const { socket, received } = open()
  socket.write(post(1_048_577))
  await expect.poll(received).toContain('"limit":"bodyBytes","maximum":1048576')
  expect(received()).toMatch(/^HTTP\/1.1 413 /)
})
