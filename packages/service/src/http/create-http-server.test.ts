import { corsAllowedHeaders } from '@octavo/protocol'
import type { InjectOptions } from 'fastify'
import { beforeEach, describe, expect, it } from 'vitest'
import { ServiceError } from '../base/errors/service-error.ts'
import type { Observation } from '../observe/observation.ts'
import { publicRoute } from '../../test/support/public-route.ts'
import { httpServerOf } from '../../test/support/http-server-of.ts'
import { errorNamed } from '../../test/support/named-errors.ts'

const shapeOfEveryError = {
  errorCode: expect.stringMatching(/^[A-Z_]+$/),
  errorName: expect.any(String),
  errorInstanceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  parameters: expect.any(Object),
  errorDescription: expect.stringMatching(/[.]$/),
}

let observations: Observation[]

beforeEach(() => {
  observations = []
})

const serverThatThrows = (error: unknown, corsOrigins: readonly string[] = []) =>
  httpServerOf({
    corsOrigins,
    observe: (observation) => observations.push(observation),
    routes: [
      async (app) => {
        app.post('/throw/:id', publicRoute('throw'), () => {
          throw error
        })
      },
    ],
  })

const thrown = async (error: unknown) => {
  const response = await serverThatThrows(error).inject({ method: 'POST', url: '/throw/1' })
  const body: Record<string, unknown> = response.json()
  expect(body).toMatchObject(shapeOfEveryError)
  return { status: response.statusCode, headers: response.headers, body }
}

it('answers an error of the table with its status, code, parameters and advice', async () => {
  const { status, headers, body } = await thrown(new ServiceError('InvalidPageSize', { pageSize: '0' }))
  expect(status).toBe(400)
  expect(body).toMatchObject({
    errorCode: 'INVALID_ARGUMENT',
    errorName: 'InvalidPageSize',
    parameters: { pageSize: '0' },
    errorDescription: expect.stringMatching(/^Send a pageSize of 1 or more/),
  })
  expect(observations).toContainEqual({
    kind: 'request-refused',
    errorName: 'InvalidPageSize',
    errorInstanceId: body['errorInstanceId'],
    requestId: headers['x-request-id'],
  })
})

it('answers anything else as internal, tells the caller nothing of it, and observes it under the same id', async () => {
  const error = new Error('hush')
  const { status, headers, body } = await thrown(error)
  expect({ status, errorName: body['errorName'] }).toEqual({ status: 500, errorName: 'Default:Internal' })
  expect(JSON.stringify(body)).not.toContain('hush')
  expect(observations).toContainEqual({
    kind: 'request-failed',
    errorName: 'Default:Internal',
    errorInstanceId: body['errorInstanceId'],
    requestId: headers['x-request-id'],
    error,
  })
})

it('says when to come back, and how to authenticate', async () => {
  const overloaded = await thrown(new ServiceError('Overloaded', { retryAfterSeconds: 3 }))
  expect(overloaded).toMatchObject({ status: 503, headers: { 'retry-after': '3' } })
  const unknown = await thrown(new ServiceError('Default:Unauthorized', {}))
  expect(unknown).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
})

it.each([
  ['a path that does not exist', '/nowhere', 'application/json', '{}', 404, 'PathNotFound'],
  ['a path that cannot be decoded', '/throw/%zz', 'application/json', '{}', 404, 'PathNotFound'],
  ['a body that is not JSON', '/throw/1', 'application/json', '{', 422, 'Conjure:UnprocessableEntity'],
  [
    'text that is not UTF-8',
    '/throw/1',
    'application/json',
    Buffer.from([34, 255, 34]),
    422,
    'Conjure:UnprocessableEntity',
  ],
  ['plain text', '/throw/1', 'text/plain', '{}', 415, 'Conjure:UnsupportedMediaType'],
  ['another media type', '/throw/1', 'text/csv', 'a,b', 415, 'Conjure:UnsupportedMediaType'],
  ['a large body', '/throw/1', 'application/json', `"${'x'.repeat(2 ** 20)}"`, 413, 'RequestTooLarge'],
])('answers %s in the shape of every error', async (_, url, contentType, payload, status, errorName) => {
  const response = await serverThatThrows(new Error('not reached')).inject({
    method: 'POST',
    url,
    headers: { 'content-type': contentType },
    payload,
  })
  const body: Record<string, unknown> = response.json()
  expect({ status: response.statusCode, errorName: body['errorName'] }).toEqual({ status, errorName })
  expect(body).toMatchObject(shapeOfEveryError)
})

const preflight = (from: string) => ({
  origin: from,
  'access-control-request-method': 'POST',
  'access-control-request-headers': corsAllowedHeaders.join(),
})

const list = (header: unknown) => String(header).split(/, */)

describe('browsers', () => {
  const origin = 'https://app.example.com'
  const app = serverThatThrows(new Error('not reached'), [origin])

  it('P122: lets the origins it was given send the headers of our clients, and no others', async () => {
    const response = await app.inject({ method: 'OPTIONS', url: '/throw/1', headers: preflight(origin) })
    expect(response.statusCode).toBe(204)
    expect(response.headers['access-control-allow-origin']).toBe(origin)
    expect(list(response.headers['access-control-allow-headers'])).toEqual([
      'authorization',
      'content-type',
      'content-encoding',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'x-request-id',
      'want-content-digest',
      'fetch-user-agent',
      'x-osdk-request-context',
    ])
    expect(list(response.headers['access-control-allow-methods'])).toEqual(
      expect.arrayContaining(['GET', 'POST', 'PUT', 'DELETE']),
    )
    const other = await app.inject({
      method: 'OPTIONS',
      url: '/throw/1',
      headers: preflight('https://other.example.com'),
    })
    expect(other.headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each(['/throw/1', '/nowhere'])(
    'P122: lets scripts read the headers of any answer, also of %s',
    async (url) => {
      const response = await app.inject({ method: 'POST', url, headers: { origin }, payload: {} })
      expect(response.statusCode).toBeGreaterThanOrEqual(400)
      expect(response.headers['access-control-allow-origin']).toBe(origin)
      expect(list(response.headers['access-control-expose-headers'])).toEqual([
        'retry-after',
        'server-timing',
        'x-request-id',
        'content-digest',
        'etag',
        'location',
      ])
    },
  )

  it('an OPTIONS request that is not a preflight is a method like any other', async () => {
    const response = await app.inject({ method: 'OPTIONS', url: '/throw/1' })
    expect({ status: response.statusCode, name: response.json().errorName }).toEqual({
      status: 405,
      name: 'MethodNotAllowed',
    })
  })

  it('without origins no preflight is answered', async () => {
    const closed = serverThatThrows(new Error('not reached'))
    const response = await closed.inject({ method: 'OPTIONS', url: '/throw/1', headers: preflight(origin) })
    expect(response.statusCode).toBe(405)
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
  })
})

const named = async (name: string) => {
  const response = await serverThatThrows(new Error('x')).inject({
    method: 'POST',
    url: '/throw/1',
    headers: { 'x-request-id': name },
  })
  return response.headers['x-request-id']
}

describe('the name of a request', () => {
  it('is the one that the caller sent, in the answer and in the log', async () => {
    expect(await named('walk-17.page:3')).toBe('walk-17.page:3')
    expect(observations.map((observation) => 'requestId' in observation && observation.requestId)).toEqual([
      'walk-17.page:3',
      'walk-17.page:3',
    ])
  })

  it.each(['', 'a b', 'x'.repeat(129), 'ü', '"}{"level":"fatal"'])(
    'is a new one instead of %j',
    async (name) => {
      expect(await named(name)).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  it('stands also in the answer to a path that cannot be decoded', async () => {
    const response = await serverThatThrows(new Error('x')).inject({
      url: '/%zz',
      headers: { 'x-request-id': 'mine' },
    })
    expect(response.headers['x-request-id']).toBe('mine')
  })
})

it.each([
  ['GET', '/throw/1', ['POST']],
  ['PATCH', '/throw/1?a=b', ['POST']],
  ['DELETE', '/openapi.json', ['GET', 'HEAD']],
] as const)('P108: refuses %s %s with the methods that the path has', async (method, url, allowedMethods) => {
  const response = await serverThatThrows(new Error('not reached')).inject({ method, url })
  expect(response.statusCode).toBe(405)
  expect(response.headers.allow).toBe(allowedMethods.join(', '))
  expect(response.json()).toMatchObject(errorNamed('MethodNotAllowed', { method, allowedMethods }))
})

it.each([
  ['POST', '/throw/', undefined],
  ['POST', '/throw/1/', '/throw/1'],
  ['POST', '//throw/1?a=//b', '/throw/1'],
  ['POST', '/throw//1/', '/throw/1'],
  ['GET', '/openapi.json/', '/openapi.json'],
  ['GET', '/nowhere/', undefined],
] as const)('P182: %s %s is no path of an endpoint; meant was %s', async (method, url, didYouMean) => {
  const response = await serverThatThrows(new Error('not reached')).inject({ method, url })
  expect(response.json()).toMatchObject({ errorName: 'PathNotFound' })
  expect(response.json().parameters).toEqual(didYouMean === undefined ? {} : { didYouMean: [didYouMean] })
  if (didYouMean !== undefined) {
    expect(response.json().errorDescription).toContain(`Use the path ${didYouMean},`)
  }
})

it('slashes in a query string are not path segments', async () => {
  const response = await serverThatThrows(new Error('reached')).inject({
    method: 'POST',
    url: '/throw/1?a=/b/',
  })
  expect(response.json()).toMatchObject({ errorName: 'Default:Internal' })
})

it('P116: a path that cannot be decoded is an unknown path to everybody, and no cache keeps the answer', async () => {
  const response = await serverThatThrows(new Error('not reached')).inject({ url: '/api/v1/ontologies/%zz' })
  expect(response.json()).toMatchObject({ errorName: 'PathNotFound' })
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
})

it('P183: /openapi.json and /docs answer everybody', async () => {
  const app = serverThatThrows(new Error('not reached'))
  expect((await app.inject({ url: '/openapi.json' })).json()).toMatchObject({ openapi: '3.1.0' })
  expect((await app.inject({ url: '/docs' })).headers['content-type']).toContain('text/html')
})

it('a body that comes to the wrong place is not read', async () => {
  const app = serverThatThrows(new Error('not reached'))
  for (const [method, url, errorName] of [
    ['POST', '/nowhere', 'PathNotFound'],
    ['PUT', '/throw/1', 'MethodNotAllowed'],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const response = await app.inject({ method, url, headers, payload: '{' })
    expect(response.json()).toMatchObject({ errorName })
  }
})

const answerTo = async (request: InjectOptions) => {
  const app = serverThatThrows(new ServiceError('ObjectNotFound', { objectType: 'a', primaryKey: 'b' }))
  const { errorName, parameters } = (await app.inject({ method: 'POST', ...request })).json()
  return { errorName, parameters }
}

const urlOf = (bytes: number) => `/throw/${'x'.repeat(bytes - '/throw/'.length)}`

const bodyOf = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`

describe('P111: limits', () => {
  const reached = { errorName: 'ObjectNotFound', parameters: { objectType: 'a', primaryKey: 'b' } }
  const json = { 'content-type': 'application/json' }

  it('a URL of 16 KiB is read, one byte more is not', async () => {
    expect(await answerTo({ url: urlOf(16_384) })).toEqual(reached)
    expect(await answerTo({ url: urlOf(16_385) })).toEqual(
      errorNamed('RequestTooLarge', { limit: 'urlBytes', maximum: 16_384 }),
    )
  })

  it('the page token of a URL is not counted, so a walk that begins can continue', async () => {
    const next = `&pageToken=${'t'.repeat(8_192)}`
    expect(await answerTo({ url: `${urlOf(16_384 - '?a=1'.length)}?a=1${next}` })).toEqual(reached)
    expect(await answerTo({ url: `${urlOf(16_385 - '?a=1'.length)}?a=1${next}` })).toMatchObject({
      errorName: 'RequestTooLarge',
    })
  })

  it('a body of 1 MiB is read, one byte more is not', async () => {
    expect(await answerTo({ url: '/throw/1', headers: json, payload: bodyOf(2 ** 20) })).toEqual(reached)
    expect(await answerTo({ url: '/throw/1', headers: json, payload: bodyOf(2 ** 20 + 1) })).toEqual(
      errorNamed('RequestTooLarge', { limit: 'bodyBytes', maximum: 2 ** 20 }),
    )
  })
})

it.each([
  ['percent signs', '/throw/1?pageSize=%zz', 'pageSize', '%zz'],
  ['half a character', '/throw/1?a=b&c=%c3&d=e', 'c', '%c3'],
  ['bytes that are not UTF-8', '/throw/1?%ff=1', '%ff', '1'],
])(
  '%s that cannot be decoded in a query string are refused by name',
  async (_, url, parameterId, parameterValue) => {
    const response = await serverThatThrows(new Error('not reached')).inject({ method: 'POST', url })
    expect(response.json()).toMatchObject(
      errorNamed('InvalidParameterValue', { parameterId, parameterValue }),
    )
  },
)

it('observes a request by its route, not by its path', async () => {
  await thrown(new Error('x'))
  expect(observations.at(-1)).toMatchObject({
    kind: 'request-served',
    method: 'POST',
    route: '/throw/:id',
    status: 500,
  })
})

it.each([
  ['http://localhost:5173', true],
  ['http://127.0.0.1:8090', true],
  ['http://[::1]', true],
  ['http://127.0.0.1.example.com', false],
  ['https://localhost.example.com:5173', false],
])('with loopback, a page of %s may call the service: %s', async (origin, allowed) => {
  const app = serverThatThrows(new Error('not reached'), ['loopback'])
  const { headers } = await app.inject({ method: 'OPTIONS', url: '/throw/1', headers: preflight(origin) })
  expect(headers['access-control-allow-origin']).toBe(allowed ? origin : undefined)
})

it('P395: of large bodies, each is parsed in a separate turn of the event loop', async () => {
  let turn = 0
  const counting = (): void => {
    turn += 1
    next = setImmediate(counting)
  }
  let next = setImmediate(counting)
  const turnsOf = async (bytes: number) => {
    const parsedIn: number[] = []
    const app = httpServerOf({
      routes: [
        async (endpoints) => {
          endpoints.post('/parsed', publicRoute('parsed'), async () => parsedIn.push(turn))
        },
      ],
    })
    await app.ready()
    const payload = Array.from({ length: bytes / 2 }, () => 0)
    await Promise.all(
      Array.from({ length: 10 }, () => app.inject({ method: 'POST', url: '/parsed', payload })),
    )
    return { requests: parsedIn.length, turns: new Set(parsedIn).size }
  }
  expect(await turnsOf(100 * 1_024)).toEqual({ requests: 10, turns: 10 })
  expect((await turnsOf(100)).turns, 'small ones do not wait for each other').toBeLessThan(10)
  clearImmediate(next)
})
