// What a person sees in a real browser: the page of the service, and the reference with a token.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../packages/service/test/support/start-test-service.ts'
import { openBrowser, type BrowserTab } from './browser/open-browser.ts'
import { makeExampleOntology, type ExampleOntology } from './dev/example-ontology.ts'

let service: TestService
let example: ExampleOntology
let tab: BrowserTab
let folder = ''

beforeAll(async () => {
  const database = await freshDatabase()
  service = await startTestService({ databaseUrl: database.url })
  example = await makeExampleOntology(database.url)
  folder = mkdtempSync(join(tmpdir(), 'octavo-browser-'))
  tab = await openBrowser(folder)
})

afterAll(async () => {
  await tab.close()
  await service.close()
  rmSync(folder, { recursive: true, maxRetries: 5 })
})

it('the service has a page with its style, which leads to the reference', async () => {
  await tab.open(`${service.url}/home`)
  await tab.until(`document.querySelector('.state')?.textContent === 'Ready'`)
  const look = `getComputedStyle(document.querySelector('nav')).display`
  await tab.until(`${look} === 'grid'`)
  expect(await tab.evaluate(look)).toBe('grid')
  await tab.evaluate(`document.querySelector('nav a[href="/docs"]').click()`)
  await tab.until(`location.pathname.startsWith('/docs') && document.querySelector('.authorize') !== null`)
})

const inputs = `Object.fromEntries([...document.querySelectorAll('[id$=listObjects] tr[data-param-name]')]
  .map((row) => [row.dataset.paramName, row.querySelector('input')?.value]))`

/** Opens the operation, tries it, and returns the status of the answer. */
async function tryOut(operation: string): Promise<unknown> {
  const within = `document.querySelector('[id$=${operation}]')`
  await tab.until(`${within} !== null`)
  await tab.evaluate(`${within}.querySelector('.opblock-summary-control').click()`)
  await tab.until(`${within}.querySelector('.try-out__btn') !== null`)
  await tab.evaluate(`${within}.querySelector('.try-out__btn').click()`)
  await tab.until(`${within}.querySelector('.execute') !== null`)
  await tab.evaluate(`${within}.querySelector('.execute').click()`)
  const status = `${within}.querySelector('.live-responses-table tbody .response-col_status')`
  await tab.until(`${status} !== null`)
  return tab.evaluate(`${status}.textContent.trim().slice(0, 3)`)
}

it('the reference is filled with what the token may read, and forgets it with the tab', async () => {
  await tab.open(`${service.url}/docs`)
  await tab.until(`document.querySelector('.btn.authorize') !== null`)
  await tab.evaluate(`document.querySelector('.btn.authorize').click()`)
  await tab.until(`document.querySelector('.auth-container input') !== null`)
  await tab.evaluate(`(() => {
    const input = document.querySelector('.auth-container input')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${example.token}')
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })()`)
  await tab.evaluate(`document.querySelector('.auth-btn-wrapper .authorize').click()`)
  await tab.until(`document.documentElement.dataset.examples === 'real'`)
  await tab.evaluate(`document.querySelector('.close-modal').click()`)
  expect(await tab.evaluate(`[Object.values(sessionStorage), localStorage.length, document.cookie]`)).toEqual(
    [[example.token], 0, ''],
  )

  expect(await tryOut('listObjects')).toBe('200')
  expect(await tab.evaluate(inputs)).toMatchObject({
    ontology: example.rid,
    objectType: 'employee',
    'properties.department.eq': '',
  })
  expect(await tryOut('searchObjects')).toBe('200')
  const bodies = `[...document.querySelectorAll('[id$=searchObjects] .examples-select option')].map((each) => each.textContent)`
  expect(await tab.evaluate(bodies)).toEqual([
    'everything',
    'fullName is Mira Okafor',
    'fullName begins with Mi',
    'in the order of fullName, descending',
    'a walk over one version',
  ])

  await tab.open(`${service.url}/docs/`)
  await tab.until(`document.documentElement.dataset.examples === 'real'`)
  expect(await tryOut('listObjects')).toBe('200')
})
