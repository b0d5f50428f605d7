// A real Chromium with as many tabs as wanted, for the explorer: it keeps a record of everything that must not happen there.
import { chromium, type Browser, type Page } from 'playwright-core'

export const openChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--js-flags=--expose-gc', '--enable-precise-memory-info'],
  })

export interface TabOptions {
  readonly url: string
  readonly token?: string
  readonly isDark?: boolean
  readonly width?: number
  readonly height?: number
}

export interface ExplorerTab {
  readonly page: Page
  /** Errors of scripts, and violations of the content security policy. */
  readonly problems: readonly string[]
  /** The origins of all requests, other than that of the service. */
  readonly otherOrigins: ReadonlySet<string>
  readonly close: () => Promise<void>
}

export async function openTab(browser: Browser, options: TabOptions): Promise<ExplorerTab> {
  const { url, token, isDark = false, width = 1_280, height = 800 } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: isDark ? 'dark' : 'light',
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  // How long a busy machine takes says nothing about the page.
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  const otherOrigins = new Set<string>()
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // A refused request is written to the console by the browser; that the page handles it is what tests look at.
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) problems.push(message.text())
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    const home = new URL(url).origin
    // What the page of an identity provider loads is not ours.
    const isOurs = page.url().startsWith(home)
    if (isOurs && origin !== home && protocol !== 'blob:' && protocol !== 'data:') otherOrigins.add(origin)
  })
  if (token !== undefined) {
    await page.addInitScript(
      `if (location.origin === ${JSON.stringify(new URL(url).origin)}) sessionStorage.setItem('octavo.token', ${JSON.stringify(token)})`,
    )
  }
  return { page, problems, otherOrigins, close: () => context.close() }
}

/** The first row that has been read. */
export const someRow = '.grid-row:not(.head):not(.waiting)'
