import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { openConnection } from './connection.ts'
import { requestPath } from './request-path.ts'
import { ServiceRefused, ServiceUnreachable } from './service-errors.ts'

let server: Server | undefined
afterEach(() => server?.close())

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A service that returns these answers, one after another. */
async function serving(...answers: readonly Answer[]) {
  const asked: string[] = []
  const waited: number[] = []
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    answers[asked.length - 1]?.(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  let now = 0
  const connection = openConnection(
    { url: `http://127.0.0.1:${port}`, token: 't' },
    {
      fetch: globalThis.fetch,
      stopAsked: new AbortController().signal,
      retryTimes: {
        now: () => now,
        random: () => 0,
        wait: async (milliseconds) => {
          waited.push(milliseconds)
          now += milliseconds
        },
      },
    },
  )
  return { connection, asked, waited }
}

const json =
  (body: unknown, status = 200, headers = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

const refusal = (errorName: string, errorCode: string) => ({
  errorCode,
  errorName,
  errorInstanceId: '5b6f3a0e-7a53-4c0f-9f0e-3f1f0f3f8f11',
  parameters: { objectType: 'x' },
  errorDescription: 'Do this.',
})

const cutOff: Answer = (response) => response.destroy()

it('tries again after 503, 429 and a lost connection, as long as the service asks', async () => {
  const { connection, asked, waited } = await serving(
    json(refusal('Overloaded', 'UNAVAILABLE'), 503, { 'retry-after': '7' }),
    json({}, 429, { 'retry-after': '1' }),
    cutOff,
    json({ done: true }),
  )
  expect(await connection.json({ path: '/a' })).toEqual({ done: true })
  expect(asked).toEqual(Array(4).fill('GET /a Bearer t'))
  expect(waited.slice(0, 2)).toEqual([7_000, 1_000])
})

it('gives up when the time is over, with the last failure', async () => {
  const { connection, asked } = await serving(...Array<Answer>(50).fill(cutOff))
  await expect(connection.json({ path: '/a', retrySeconds: 3 })).rejects.toThrow(ServiceUnreachable)
  expect(asked.length).toBeGreaterThan(3)
  await expect(connection.json({ path: '/a', retrySeconds: 0 })).rejects.toThrow(ServiceUnreachable)
})

it('a refusal is not tried again, and keeps its name, parameters and sentence', async () => {
  const { connection, asked } = await serving(json(refusal('ObjectTypeNotFound', 'NOT_FOUND'), 404))
  const error = await connection.json({ path: '/a' }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ServiceRefused)
  expect(error).toMatchObject({
    status: 404,
    errorName: 'ObjectTypeNotFound',
    parameters: { objectType: 'x' },
    message: 'Do this. (ObjectTypeNotFound)',
    exitCode: 1,
  })
  expect(asked).toHaveLength(1)
})

it('an answer that is not from Octavo is recognised', async () => {
  const { connection } = await serving(
    (response) => response.writeHead(404).end('<html>nginx</html>'),
    (response) => response.end('<html>sign in</html>'),
    (response) => response.writeHead(302, { location: 'https://elsewhere.example.com' }).end(),
  )
  await expect(connection.json({ path: '/a' })).rejects.toThrow(
    /answered 404, but not as Octavo does.*<html>nginx/,
  )
  await expect(connection.json({ path: '/a' })).rejects.toThrow('did not answer with JSON')
  await expect(connection.json({ path: '/a', retrySeconds: 0 })).rejects.toThrow(ServiceUnreachable)
})

it('reads every page of a list', async () => {
  const { connection, asked } = await serving(
    json({ data: [1, 2], nextPageToken: 'a/b' }),
    json({ data: [3] }),
  )
  const path = requestPath`/manage/${'a b/c'}/x`
  expect(await connection.allItems({ path, query: { pageSize: '2' } })).toEqual([1, 2, 3])
  expect(asked).toEqual([
    'GET /manage/a%20b%2Fc/x?pageSize=2 Bearer t',
    'GET /manage/a%20b%2Fc/x?pageSize=2&pageToken=a%2Fb Bearer t',
  ])
})

it('says that the token may be wrong, until the service has accepted it', async () => {
  const limited = json(refusal('RateLimited', 'TOO_MANY_REQUESTS'), 429)
  const { connection } = await serving(
    json(refusal('Default:Unauthorized', 'UNAUTHORIZED'), 401),
    limited,
    json({ ok: true }),
    limited,
  )
  const ask = (): Promise<unknown> => connection.json({ path: '/a', retrySeconds: 0 })
  await expect(ask()).rejects.toThrow('it is mistyped, expired, revoked, or for another service')
  await expect(ask()).rejects.toThrow('Do this. (RateLimited) A service also throttles addresses')
  await ask()
  const later = await ask().catch((error: unknown) => error)
  expect(later).toMatchObject({ message: 'Do this. (RateLimited)' })
})
