// An app with `@osdk/oauth` in a real browser, on a separate origin: the tab leaves, comes back, and stays signed in.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appId, serveSignIn, type SignInService } from '../packages/service/test/support/serve-sign-in.ts'
import { openChromium } from './browser/open-chromium.ts'

let service: SignInService
let browser: Browser
let origin = ''
const app = createServer()

beforeAll(async () => {
  app.listen(0, '127.0.0.1')
  await once(app, 'listening')
  origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
  const returnTo = `${origin}/auth/callback`
  service = await serveSignIn({ OCTAVO_OAUTH_REDIRECT_URIS: returnTo, OCTAVO_CORS_ORIGINS: origin })
  const code = await bundle(`
    import { createPublicOauthClient } from '@osdk/oauth'
    const show = (text) => { document.body.textContent = text }
    const auth = createPublicOauthClient('${appId}', '${service.url}', '${returnTo}')
    auth().then(async (token) => {
      const answer = await fetch('${service.url}/api/v2/ontologies', { headers: { authorization: 'Bearer ' + token } })
      show(await answer.text())
    }, show)`)
  app.on('request', (_, response) => {
    response.setHeader('content-type', 'text/html').end(`<body></body><script>${code}</script>`)
  })
  browser = await openChromium()
})

afterAll(async () => {
  await browser.close()
  app.close()
  app.closeAllConnections()
  await service.close()
})

async function bundle(source: string): Promise<string> {
  const file = join(import.meta.dirname, 'app.js')
  const build = await rolldown({
    input: file,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === file ? id : undefined),
        load: (id) => (id === file ? source : undefined),
      },
    ],
  })
  const { output } = await build.generate({ format: 'iife' })
  return output[0].code
}

it('P385, P388: a person signs in, comes back to where they were, and stays signed in', async () => {
  const page = await browser.newPage()
  const begun = `${origin}/flights?late=1`
  await page.goto(begun)
  await page.fill('input[name=login]', 'mira')
  await page.fill('input[name=password]', 'any')
  await page.click('button[type=submit]')
  await page.click('button[type=submit]')
  await expect.poll(() => page.textContent('body'), { timeout: 20_000 }).toContain(service.ontology.rid)
  expect(page.url()).toBe(begun)
  await page.reload()
  await expect.poll(() => page.textContent('body'), { timeout: 20_000 }).toContain(service.ontology.rid)
  expect(page.url()).toBe(begun)
})
