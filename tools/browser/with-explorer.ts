// The explorer for the tests of a file: one Chromium, and a tab for each test, in which nothing may have gone wrong.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { buildExplorer } from './build-explorer.ts'
import { openChromium, openTab, type ExplorerTab } from './open-chromium.ts'

export function withExplorer(service: { readonly url: string }) {
  let browser: Browser
  const tabs: ExplorerTab[] = []
  beforeAll(async () => {
    await buildExplorer()
    browser = await openChromium()
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    for (const { problems, close } of tabs.splice(0)) {
      expect(problems).toEqual([])
      await close()
    }
  })
  return {
    /** Opens an address of the explorer, as somebody with this token. */
    open: async (address: string, token: string): Promise<ExplorerTab> => {
      const tab = await openTab(browser, { url: service.url, token })
      tabs.push(tab)
      await tab.page.goto(service.url + address)
      return tab
    },
  }
}
