import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpServerOf } from '../../../test/support/http-server-of.ts'
import { readExplorerFiles, type ExplorerSignIn } from './explorer-files.ts'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-explorer-'))
  mkdirSync(join(folder, 'assets'))
  for (const name of ['index.html', 'assets/main-abc.js']) {
    writeFileSync(join(folder, name), `plain ${name}`)
    writeFileSync(join(folder, `${name}.br`), `br ${name}`)
    writeFileSync(join(folder, `${name}.gz`), `gzip ${name}`)
  }
  writeFileSync(join(folder, 'secret.txt'), 'not an asset')
})
afterAll(() => rmSync(folder, { recursive: true }))

const serverWith = (signIn?: ExplorerSignIn, from = folder) => {
  const files = readExplorerFiles(from)
  return httpServerOf({ checkReadiness: async () => [], explorer: files && { files, signIn } })
}

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

it('a browser gets the explorer at the root, under strict rules', async () => {
  const { headers, body } = await serverWith().inject({ url: '/', headers: asBrowser })
  expect(body).toBe('plain index.html')
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  })
})

it('a program gets JSON at the root, and people still find the page of the service', async () => {
  const app = serverWith()
  expect((await app.inject({ url: '/' })).json()).toMatchObject({ service: 'Octavo' })
  expect((await app.inject({ url: '/home', headers: asBrowser })).body).toContain(
    '<a href="/"><strong>Explorer',
  )
})

it('files are sent as they were compressed when they were built, and may be kept for ever', async () => {
  const app = serverWith()
  const get = (encoding: string) =>
    app.inject({ url: '/explorer/assets/main-abc.js', headers: { 'accept-encoding': encoding } })
  const [br, gzip, plain] = [await get('gzip, br'), await get('gzip'), await get('identity')]
  expect([br.body, gzip.body, plain.body]).toEqual([
    'br assets/main-abc.js',
    'gzip assets/main-abc.js',
    'plain assets/main-abc.js',
  ])
  expect(br.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  expect(plain.headers['content-encoding']).toBeUndefined()
})

it.each(['secret.txt', '..%2Fsecret.txt', '..%2findex.html', 'main-abc.js.br', '__proto__', ''])(
  'a name that is not one of its files is not found: %s',
  async (name) => {
    expect((await serverWith().inject({ url: `/explorer/assets/${name}` })).statusCode).toBe(404)
  },
)

it('says how people sign in, and lets the page talk to the identity provider and nobody else', async () => {
  expect((await serverWith().inject({ url: '/explorer/sign-in.json' })).json()).toEqual({})
  const oidc = {
    issuer: 'https://login.example.com/realm',
    clientId: 'explorer',
    scopes: 'openid',
    audience: 'urn:octavo',
  }
  const app = serverWith(oidc)
  expect((await app.inject({ url: '/explorer/sign-in.json' })).json()).toEqual({ oidc })
  const { headers } = await app.inject({ url: '/', headers: asBrowser })
  expect(headers['content-security-policy']).toContain("connect-src 'self' https://login.example.com;")
})

it('without built files, the page of the service is at the root', async () => {
  const app = serverWith(undefined, join(folder, 'assets'))
  expect((await app.inject({ url: '/', headers: asBrowser })).body).toContain('First steps')
  expect((await app.inject({ url: '/explorer/sign-in.json' })).statusCode).toBe(404)
})
