import { expect, it } from 'vitest'
import { httpServerOf } from '../../../test/support/http-server-of.ts'

const serverThatIs = (isReady: boolean) =>
  httpServerOf({
    checkReadiness: async () =>
      isReady ? [] : [{ name: 'database-unreachable', description: 'host-of-the-database does not answer.' }],
  })

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

it('a browser gets a page that loads nothing from elsewhere', async () => {
  const { headers, body } = await serverThatIs(true).inject({ url: '/', headers: asBrowser })
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cache-control': 'no-store',
    vary: 'accept, accept-encoding, origin',
  })
  expect(body).toContain('>Ready<')
  expect(body).toMatch(/version \d+\.\d+\.\d+/)
  const used = [...body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target)
  expect(used).toEqual(['/home.css', '/docs', '/openapi.json', '/health/ready'])
})

it('a program gets the same links as JSON', async () => {
  const { headers, body } = await serverThatIs(true).inject({ url: '/', headers: { accept: '*/*' } })
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(JSON.parse(body)).toEqual({
    service: 'Octavo',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    status: 'ready',
    links: { reference: '/docs', openapi: '/openapi.json', live: '/health/live', ready: '/health/ready' },
  })
})

it('says that the service is not ready, and leaves the reason to the health endpoint', async () => {
  const app = serverThatIs(false)
  const page = await app.inject({ url: '/', headers: asBrowser })
  expect(page.body).toContain('>Not ready<')
  const json = await app.inject({ url: '/' })
  expect(json.json()).toMatchObject({ status: 'unready' })
  for (const { body } of [page, json]) expect(body).not.toContain('host-of-the-database')
})

it('shows the host of the request as text', async () => {
  const { body } = await serverThatIs(true).inject({
    url: '/',
    headers: { ...asBrowser, host: 'a"><script>alert(1)</script>' },
  })
  expect(body).not.toContain('<script>')
})
