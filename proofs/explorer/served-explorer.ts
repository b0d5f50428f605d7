import { withCluster } from '../harness/with-store.ts'
import type { Browser } from 'playwright-core'
import type { Ontology } from '../../packages/service/test/inside.ts'
import { startTestService, type TestService } from '../../packages/service/test/support/start-test-service.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { buildExplorer } from '../../tools/browser/build-explorer.ts'
import {
  openChromium,
  openTab,
  type ExplorerTab,
  type TabOptions,
} from '../../tools/browser/open-chromium.ts'

export interface ServedExplorer {
  readonly service: TestService
  readonly browser: Browser
  /** Of the caller who may do everything on it. */
  readonly ontology: Ontology
  readonly token: string
  readonly open: (address: string, options?: Omit<TabOptions, 'url'>) => Promise<ExplorerTab>
}

/** Runs the work with the service and its explorer, on a new database, and a browser. */
export async function withServedExplorer(work: (served: ServedExplorer) => Promise<void>): Promise<void> {
  await buildExplorer()
  await withCluster({ settings: { shared_buffers: '256MB', max_wal_size: '4GB' } }, async (cluster) => {
    const service = await startTestService({ databaseUrl: cluster.url })
    const browser = await openChromium()
    try {
      const ontology = await service.store.applyOntology({
        apiName: 'shown',
        displayName: 'Shown',
        apiFamilies: ['shown'],
      })
      const open = async (address: string, options: Omit<TabOptions, 'url'> = { token: testToken }) => {
        const tab = await openTab(browser, { url: service.url, ...options })
        await tab.page.goto(service.url + address)
        return tab
      }
      await work({ service, browser, ontology, token: testToken, open })
    } finally {
      await browser.close()
      await service.close()
    }
  })
}
