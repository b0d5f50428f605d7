import { expect, it } from 'vitest'
import { describedAs } from './openapi/described-as.ts'
import { httpServerOf } from '../../test/support/http-server-of.ts'
import { Type } from 'typebox'

const app = httpServerOf({
  authenticate: () => Promise.reject(new Error('not reached')),
  routes: [
    async (server) => {
      const route = {
        summary: 'x',
        tag: 'Health',
        right: 'public',
        answer: Type.Object({}),
        errors: [],
      } as const
      server.get('/api/v1/x', describedAs({ ...route, operationId: 'a' }), () => ({}))
      server.get('/health/x', describedAs({ ...route, operationId: 'b' }), () => ({}))
    },
  ],
})

it.each([
  ['an answer', '/api/v1/x', 200, 'no-store'],
  ['a refusal', '/api/v1/other', 404, 'no-store'],
  ['a path of nothing', '/manage', 404, 'no-store'],
  ['a path of agents', '/mcp', 404, 'no-store'],
  ['a path of sign-in', '/multipass/api/oauth2/token', 404, 'no-store'],
  ['a path with a second slash', '//api/v1/x', 404, 'no-store'],
  ['a public answer', '/health/x', 200, undefined],
  ['the reference', '/openapi.json', 200, undefined],
])('%s tells browsers and caches what they may not do', async (_, url, status, cacheControl) => {
  const response = await app.inject({ url })
  expect(response.statusCode).toBe(status)
  expect(response.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  expect(response.headers['cache-control']).toBe(cacheControl)
  for (const name of ['server', 'x-powered-by', 'strict-transport-security']) {
    expect(response.headers[name]).toBeUndefined()
  }
})

it('the page of the reference keeps its own rules of content', async () => {
  const { headers } = await app.inject({ url: '/docs/' })
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
})
