// What a person does with the explorer, in a real browser and against the real service.
import { freshDatabase } from '@octavo/dev-database/vitest'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { testAudience } from '../packages/service/test/support/identity-provider.ts'
import { startLoginProvider, type LoginProvider } from '../packages/service/test/support/login-provider.ts'
import { startTestService, type TestService } from '../packages/service/test/support/start-test-service.ts'
import { grantTo } from '../packages/service/test/support/test-access.ts'
import { buildExplorer } from './browser/build-explorer.ts'
import { openChromium, openTab, someRow, type ExplorerTab } from './browser/open-chromium.ts'
import { firstLoadBytes, mostFirstLoadBytes } from './browser/first-load.ts'
import { makeExampleOntology, type ExampleOntology } from './dev/example-ontology.ts'

let service: TestService
let example: ExampleOntology
let provider: LoginProvider
let browser: Browser
let tab: ExplorerTab

beforeAll(async () => {
  await buildExplorer()
  const database = await freshDatabase()
  provider = await startLoginProvider()
  service = await startTestService({
    databaseUrl: database.url,
    environment: {
      OCTAVO_OIDC_ISSUER: provider.issuer,
      OCTAVO_OIDC_AUDIENCE: testAudience,
      OCTAVO_EXPLORER_CLIENT_ID: provider.clientId,
    },
  })
  provider.open(service.url)
  example = await makeExampleOntology(database.url)
  await grantTo(service.store, 'mira', example.rid, 'reader')
  browser = await openChromium()
})

afterAll(async () => {
  await browser.close()
  await service.close()
  await provider.close()
})

afterEach(async () => {
  expect(tab.problems).toEqual([])
  await tab.close()
})

const open = async (address: string, token: string | undefined = example.token): Promise<ExplorerTab> => {
  tab = await openTab(browser, { url: service.url, ...(token !== undefined && { token }) })
  await tab.page.goto(service.url + address)
  return tab
}

const totalSays = async (text: string): Promise<void> => {
  await expect.poll(() => tab.page.textContent('.status [role=status]')).toContain(text)
}

it('the first load is small', async () => {
  await open('/')
  expect(firstLoadBytes()).toBeLessThan(mostFirstLoadBytes)
  expect(firstLoadBytes()).toBeGreaterThan(10_000)
})

it('signs in with a token, which is kept for this tab only and never stands in the address', async () => {
  tab = await openTab(browser, { url: service.url })
  const { page } = tab
  await page.goto(`${service.url}/?type=employee`)
  await page.fill('#token', 'oct_wrong')
  await page.click('text=Sign in >> nth=-1')
  await expect.poll(() => page.textContent('.problem')).toContain('not accepted')
  await page.fill('#token', example.token)
  await page.click('text=Sign in >> nth=-1')
  await page.waitForSelector(someRow)
  await totalSays('12 objects')
  expect(page.url()).not.toContain(example.token)
  expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, ''])
  await page.reload()
  await page.waitForSelector(someRow)
  expect([...tab.otherOrigins]).toEqual([])
})

it('signs in with the identity provider, by a code with PKCE, and comes back to where it was', async () => {
  tab = await openTab(browser, { url: service.url })
  const { page } = tab
  await page.goto(`${service.url}/?type=employee&order=fullName:desc`)
  await page.click(`text=Sign in with`)
  await page.fill('input[name=login]', 'mira')
  await page.fill('input[name=password]', 'any')
  await page.click('button[type=submit]')
  await page.click('button[type=submit]')
  await page.waitForSelector(someRow)
  await totalSays('12 objects')
  expect(new URL(page.url()).search).toBe('?type=employee&order=fullName:desc')
  expect([...tab.otherOrigins]).toEqual([provider.issuer])
})

it('filters, orders and opens an object; the address says all of it, and a reload gives the same', async () => {
  const { page } = await open('/?type=employee')
  await page.waitForSelector(someRow)
  await page.keyboard.press('/')
  await page.selectOption('[aria-label=Property]', 'department')
  await page.fill('[aria-label=Value]', 'Maps')
  await page.keyboard.press('Enter')
  await totalSays('2 objects that match')
  await page.click('.head .cell:has-text("fullName")')
  // The rows are read again in this order: a click on one of before would be lost.
  await page.waitForURL(/order=fullName/)
  await page.waitForLoadState('networkidle')
  await page.click('.cell.key')
  await page.waitForSelector('.properties')
  const address = page.url()
  expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
    type: 'employee',
    query: '{"type":"eq","field":"department","value":"Maps"}',
    order: 'fullName:asc',
    object: '1009',
  })
  await page.reload()
  await page.waitForSelector('.properties')
  await totalSays('2 objects that match')
  expect(await page.textContent('.object h2')).toBe('Aiko Tanaka')
  await page.goBack()
  await page.waitForSelector('.object', { state: 'detached' })
})

it('what no index can serve is answered with the line to declare, to be copied', async () => {
  const { page } = await open('/?type=employee')
  await page.waitForSelector(someRow)
  await page.keyboard.press('/')
  await page.selectOption('[aria-label=Property]', 'startedOn')
  await page.click('.condition .copy')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('"searchable": true')
  await page.click('.head .cell:has-text("name"):has-text("struct")')
  await expect.poll(() => page.textContent('.failure .declaration')).toContain('"sortable": true')
  await page.goto(`${service.url}/?type=employee&order=name:asc`)
  await expect.poll(() => page.textContent('.failure')).toContain('PropertiesNotSortable')
})

it('names in the address that do not exist fall back with a notice', async () => {
  const { page } = await open('/?type=employe&columns=gone')
  await page.waitForSelector(someRow)
  await expect.poll(() => page.textContent('.notices')).toContain('There is no type employe')
  await page.goto(`${service.url}/?type=employee&columns=fullName,gone&query={`)
  await page.waitForSelector(someRow)
  await expect.poll(() => page.textContent('.notices')).toContain('There is no gone any more')
  await expect.poll(() => page.textContent('.notices')).toContain('could not be read')
  expect(await page.locator('.head .cell').count()).toBe(1)
})

it('goes everywhere with the keyboard, and copies what has the focus', async () => {
  const { page } = await open('/?type=employee')
  await page.waitForSelector(someRow)
  const focused = () => page.evaluate('document.activeElement.dataset.cell')
  await page.focus('[data-cell="0:0"]')
  await page.keyboard.press('Control+End')
  await expect.poll(focused).toBe('11:4')
  await page.keyboard.press('Home')
  await expect.poll(focused).toBe('11:0')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Control+c')
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('Clara Duarte')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowUp')
  await expect.poll(focused).toBe('-1:0')
  await page.keyboard.press('Control+k')
  await page.waitForSelector('.palette[open] input:focus')
  await page.keyboard.type('holds')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.facts')
})

it('columns are hidden, moved and made wider, and stay so for this type', async () => {
  const { page } = await open('/?type=employee')
  await page.waitForSelector(someRow)
  await page.click('text=Columns')
  await page.click('[aria-label="Move department left"]')
  await page.click('label:has-text("fullName") input')
  await page.keyboard.press('Escape')
  await page.focus('[data-cell="-1:1"]')
  await page.keyboard.press('Shift+ArrowRight')
  const widths = () =>
    page.locator('.head .cell').evaluateAll('(cells) => cells.map((cell) => cell.style.width)')
  const before = await widths()
  await page.goto(`${service.url}/?type=employee`)
  await page.waitForSelector(someRow)
  expect(await page.locator('.column-name').allTextContents()).toEqual([
    'employeeId',
    'department',
    'startedOn',
    'name',
  ])
  expect(await widths()).toEqual(before)
})

/** The words of each two buttons that lie on each other, and of each that is not on one line or not inside the table. */
const misplacedButtons = `(() => {
  const buttons = [...document.querySelectorAll('.tools button, .tools select, .status button')]
    .filter((button) => button.checkVisibility() && button.closest('[popover]') === null)
    .map((button) => ({ words: button.textContent, at: button.getBoundingClientRect() }))
  const { right } = document.querySelector('.rows-main').getBoundingClientRect()
  return buttons.flatMap(({ words, at }, i) => [
    ...(at.height > 40 || at.right > right ? [words] : []),
    ...buttons.slice(i + 1)
      .filter(({ at: other }) => at.left < other.right - 1 && other.left < at.right - 1 && at.top < other.bottom - 1 && other.top < at.bottom - 1)
      .map(({ words: others }) => words + ' and ' + others),
  ])
})()`

it('no button lies on another, from 320 pixels to 4k, with and without an object beside the table', async () => {
  const query = JSON.stringify({
    type: 'and',
    value: ['Maps', 'Search', 'Navigation'].map((value) => ({ type: 'eq', field: 'department', value })),
  })
  const filtered = `/?type=employee&query=${encodeURIComponent(query)}`
  const { page } = await open(filtered)
  for (const address of [filtered, `${filtered}&object=1001`]) {
    await page.goto(service.url + address)
    await page.waitForSelector(address === filtered ? '.status' : '.properties')
    for (const width of [320, 480, 800, 901, 1_000, 1_120, 1_280, 1_600, 3_840]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate(misplacedButtons), `${address} at ${width}`).toEqual([])
    }
  }
})
