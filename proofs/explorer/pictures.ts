// The pictures of the guide and of the README, from the demo.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openTab, someRow } from '../../tools/browser/open-chromium.ts'

const folder = join(import.meta.dirname, '../../docs/pictures/explorer')

const filtered = `/?type=flight&order=departsAt:desc&query=${encodeURIComponent(
  '{"type":"and","value":[{"type":"gte","field":"delayMinutes","value":60},{"type":"eq","field":"status","value":"landed"}]}',
)}`

interface Picture {
  readonly name: string
  readonly address: string
  readonly show: (page: Page) => Promise<unknown>
}

const pictures: readonly Picture[] = [
  { name: 'objects', address: filtered, show: (page) => page.waitForSelector(someRow) },
  {
    name: 'object',
    address: filtered,
    show: async (page) => {
      await page.locator('.cell.key').nth(3).click()
      await page.waitForSelector('.properties')
    },
  },
  {
    name: 'links',
    address: '/?type=flight',
    show: async (page) => {
      await page.locator('.cell.key').nth(3).click()
      await page.waitForSelector('.links a')
      await page.locator('.links').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'facets',
    address: '/?type=flight&facets=status,origin',
    show: (page) =>
      Promise.all(['status', 'origin'].map((name) => page.waitForSelector(`[aria-label="By ${name}"] li`))),
  },
  {
    name: 'history',
    address: filtered,
    show: async (page) => {
      await page.waitForSelector(someRow)
      await page.locator('.cell.key').nth(3).click()
      await page.waitForSelector('.properties')
      await page.click('text=History')
      await page.waitForSelector('.history .state')
    },
  },
  {
    name: 'earlier',
    address: '/?type=flight',
    show: async (page) => {
      await page.click('text=As it was')
      await page.focus('input[type=range]')
      await page.keyboard.press('ArrowLeft')
      await page.waitForSelector('.earlier.past')
    },
  },
  {
    name: 'teaches',
    address: '/?type=flight',
    show: async (page) => {
      await page.waitForSelector(someRow)
      await page.keyboard.press('/')
      await page.selectOption('[aria-label=Property]', 'fare')
    },
  },
  {
    name: 'export',
    address: '/?type=airport',
    show: async (page) => {
      await page.click('text=Export')
      await page.click('.export >> text=CSV')
      await page.waitForSelector('.export .good')
    },
  },
  {
    name: 'holds',
    address: '/?type=flight&show=facts',
    show: (page) => page.waitForSelector('.facts table'),
  },
  {
    name: 'walk',
    address: '/?type=flight&show=walk',
    show: async (page) => {
      await page.click('text=Run with a writer')
      await page.waitForSelector('.reader.snapshot .good')
    },
  },
]

const looks = [
  { name: 'light', isDark: false, width: 1_120, height: 660 },
  { name: 'dark', isDark: true, width: 1_120, height: 660 },
  { name: 'narrow', isDark: false, width: 360, height: 660 },
] as const

export async function takePictures(browser: Browser, url: string, token: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const signedOut = await openTab(browser, { url, width: 1_120, height: 660 })
  await signedOut.page.goto(url)
  await signedOut.page.waitForSelector('.sign-in')
  await signedOut.page.screenshot({ path: join(folder, 'sign-in-light.png') })
  await signedOut.close()
  for (const { name: look, ...options } of looks) {
    const { page, close } = await openTab(browser, { url, token, ...options })
    for (const { name, address, show } of pictures) {
      await page.goto(url + address)
      await show(page)
      await page.waitForTimeout(300)
      await page.screenshot({ path: join(folder, `${name}-${look}.png`) })
    }
    await close()
  }
}
