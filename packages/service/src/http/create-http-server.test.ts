import { beforeEach, expect, it } from 'vitest'
import { ServiceError } from '../errors/service-error.ts'
import type { Observation } from '../observe/observation.ts'
import { createHttpServer } from './create-http-server.ts'

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
  createHttpServer({
    corsOrigins,
    observe: (observation) => observations.push(observation),
    routes: [
      async (app) => {
        app.post('/throw/:id', () => {
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
  const { status, body } = await thrown(new ServiceError('InvalidPageSize', { pageSize: '0' }))
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
  })
})

it('answers anything else as internal, tells the caller nothing of it, and observes it under the same id', async () => {
  const error = new Error('hush')
  const { status, body } = await thrown(error)
  expect({ status, errorName: body['errorName'] }).toEqual({ status: 500, errorName: 'Default:Internal' })
  expect(JSON.stringify(body)).not.toContain('hush')
  expect(observations).toContainEqual({
    kind: 'request-failed',
    errorName: 'Default:Internal',
    errorInstanceId: body['errorInstanceId'],
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
  ['no body', '/throw/1', 'application/json', '', 400, 'MissingPostBody'],
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

it('allows the origins it was given to call from a browser, and no others', async () => {
  const app = serverThatThrows(new Error('not reached'), ['https://app.example.com'])
  const allowed = async (origin: string) => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const response = await app.inject({ method: 'OPTIONS', url: '/throw/1', headers })
    return response.headers['access-control-allow-origin']
  }
  expect(await allowed('https://app.example.com')).toBe('https://app.example.com')
  expect(await allowed('https://other.example.com')).toBeUndefined()
})

it('observes a request by its route, not by its path', async () => {
  await thrown(new Error('x'))
  expect(observations.at(-1)).toMatchObject({
    kind: 'request-served',
    method: 'POST',
    route: '/throw/:id',
    status: 500,
  })
})
