import type { OctavoAnswer } from '@octavo/agents'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { publicRoute } from '../../test/support/public-route.ts'
import { httpServerOf } from '../../test/support/http-server-of.ts'
import { defaultListener } from '../http/listener-settings.ts'
import type { HttpServer } from '../http/open-fastify.ts'
import { askInside } from './ask-inside.ts'

let app: HttpServer
let url: string
let asked: Promise<OctavoAnswer> | undefined
const never = new AbortController().signal

/** What `/outer` does once it is asked. */
let atOuter: (request: FastifyRequest) => Promise<OctavoAnswer>
let seen: FastifyRequest[] = []
let innerClosed = Promise.withResolvers<void>()

beforeEach(async () => {
  seen = []
  asked = undefined
  innerClosed = Promise.withResolvers()
  app = httpServerOf({
    listener: { ...defaultListener, trustedProxyHops: 1 },
    routes: [
      async (routes) => {
        routes.get('/outer', publicRoute('outer'), async (request) => {
          asked = atOuter(request)
          return (await asked).status
        })
        routes.post('/inner', publicRoute('inner'), async (request) => {
          seen.push(request)
          return { got: request.body }
        })
        routes.get('/slow', publicRoute('slow'), async (request, reply) => {
          seen.push(request)
          reply.raw.once('close', () => innerClosed.resolve())
          await innerClosed.promise
          return {}
        })
      },
    ],
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => app.close())

it('P375: an inner request has the credentials, the address, the trace and the id of the outer one', async () => {
  atOuter = (request) => askInside(app, request)({ path: '/inner', body: '{"a":1}' }, never)
  const sent = {
    authorization: 'Bearer x',
    'x-forwarded-for': '203.0.113.7',
    'x-request-id': 'outer-1',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    cookie: 'never=passed-on',
  }
  await fetch(`${url}/outer`, { headers: sent })
  expect(await asked).toEqual({ status: 200, body: { got: { a: 1 } } })
  const { cookie, ...passedOn } = sent
  expect(cookie).toBeDefined()
  expect(seen[0]?.headers).toMatchObject(passedOn)
  expect(seen[0]?.headers).not.toHaveProperty('cookie')
  expect(seen[0]?.id).toBe('outer-1')
  expect(seen[0]?.raw.socket.remoteAddress).toBe('127.0.0.1')
})

it('an inner request ends when nobody waits for it any more', async () => {
  const leaves = new AbortController()
  atOuter = (request) => askInside(app, request)({ path: '/slow' }, leaves.signal)
  const outer = fetch(`${url}/outer`)
  await expect.poll(() => seen.length).toBe(1)
  leaves.abort()
  await innerClosed.promise
  await expect(asked).rejects.toThrow()
  await outer
})

it('P161: while the server closes, an answer under way arrives, and says to send the same again', async () => {
  const closing = Promise.withResolvers<void>()
  atOuter = async (request) => {
    await closing.promise
    return askInside(app, request)({ path: '/inner', body: '{}' }, never)
  }
  const outer = fetch(`${url}/outer`)
  await expect.poll(() => asked !== undefined).toBe(true)
  const closed = app.close()
  await sleep(100)
  closing.resolve()
  expect(await (await outer).json()).toBe(503)
  expect(await asked).toMatchObject({ body: { errorName: 'Overloaded' } })
  await closed
})
