// Every view as axe sees it, in light and dark, wide and narrow.
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { itemDefinition, items, putItems } from '../../packages/service/test/support/load-items.ts'
import { someRow } from '../../tools/browser/open-chromium.ts'
import { expect, type Proof } from '../harness/prove.ts'
import type { ServedExplorer } from './served-explorer.ts'

const views: readonly (readonly [name: string, address: string, show: (page: Page) => Promise<unknown>])[] = [
  ['rows', '/?type=item', (page) => page.waitForSelector(someRow)],
  ['an object', '/?type=item&object=i000001', (page) => page.waitForSelector('.properties')],
  [
    'the history of an object',
    '/?type=item&object=i000001',
    async (page) => {
      await page.click('text=History')
      await page.waitForSelector('.history .state')
    },
  ],
  ['links of an object', '/?type=item&object=i000001', (page) => page.waitForSelector('.links a')],
  [
    'facets',
    '/?type=counted&facets=status,rank',
    (page) =>
      Promise.all(['status', 'rank'].map((name) => page.waitForSelector(`[aria-label="By ${name}"] li`))),
  ],
  [
    'a facet that filters',
    '/?type=counted&facets=status',
    async (page) => {
      await page.click('[aria-label="By status"] >> text=late')
      await page.waitForSelector('.facet [aria-pressed=true]')
    },
  ],
  ['the table as it was', '/?type=item', (page) => showEarlier(page)],
  [
    'what it holds',
    '/?type=item&show=facts',
    (page) =>
      Promise.all(
        ['svg', '.figures', '[aria-label=Indexes]', '[aria-label=Audit]'].map((part) =>
          page.waitForSelector(`.facts ${part}`),
        ),
      ),
  ],
  ['the walk', '/?type=item&show=walk', (page) => page.waitForSelector('.walk')],
  [
    'a walk that has ended',
    '/?type=item&show=walk',
    async (page) => {
      await page.click('text=Run on')
      await page.waitForSelector('.reader .good')
    },
  ],
  [
    'a condition',
    '/?type=item',
    async (page) => {
      await page.waitForSelector(someRow)
      await page.keyboard.press('/')
      await page.waitForSelector('.condition')
    },
  ],
  ['the query', '/?type=item', (page) => page.click('[aria-label="The query as JSON"]')],
  ['columns', '/?type=item', (page) => page.click('text=Columns')],
  ['copy as', '/?type=item', (page) => page.click('text=Copy as')],
  ['export', '/?type=item', (page) => page.click('text=Export')],
  ['the palette', '/?type=item', (page) => page.keyboard.press('Control+k')],
  ['a refusal', '/?type=item&order=tags:asc', (page) => page.waitForSelector('.failure')],
]

async function showEarlier(page: Page): Promise<void> {
  await page.click('text=As it was')
  await page.focus('input[type=range]')
  await page.keyboard.press('ArrowLeft')
  await page.waitForSelector('.earlier.past')
}

/** A type whose objects can be counted by value. */
async function loadCounted({ service, ontology }: ServedExplorer): Promise<void> {
  const base = itemDefinition('counted')
  const type = await service.store.applyObjectType(ontology, {
    ...base,
    displayName: 'Counted',
    properties: {
      ...base.properties,
      rank: { type: 'integer', sortable: true, searchable: true },
      status: { type: 'string', searchable: true },
    },
  })
  const statuses = ['landed', 'late', undefined]
  const objects = items(200).map((item, i) => {
    const status = statuses[i % statuses.length]
    return { ...item, ...(status && { status }) }
  })
  await putItems(service.store, type, objects)
}

export async function proveEveryView(proof: Proof, served: ServedExplorer): Promise<void> {
  await loadCounted(served)
  await proof.point('axe finds nothing on any view, in light and dark, wide and narrow', async () => {
    const looks = proof.short
      ? [{ isDark: false, width: 1_280 }]
      : [
          { isDark: false, width: 1_280 },
          { isDark: true, width: 1_280 },
          { isDark: false, width: 320 },
          { isDark: true, width: 320 },
        ]
    let seen = 0
    for (const look of looks) {
      const signedOut = await served.open('/', look)
      await signedOut.page.waitForSelector('.sign-in')
      await expectNothing(signedOut.page, 'sign-in')
      await signedOut.close()
      const { page, problems, close } = await served.open('/?type=item', { token: served.token, ...look })
      for (const [name, address, show] of views) {
        await page.goto(served.service.url + address)
        await page.waitForSelector('.type-head')
        await show(page)
        await expectNothing(page, name)
        await expectNoOverflow(page, name)
        seen += 1
      }
      expect(problems.length === 0, problems.join('; '))
      await close()
    }
    return `${seen + looks.length} views, 0 findings`
  })
}

async function expectNothing(page: Page, name: string): Promise<void> {
  const found = (await page.evaluate(
    `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200)))`,
  )) as readonly string[]
  expect(found.length === 0, `${name}: ${found.join('; ')}`)
}

/** Nothing makes the page itself wider than the window. */
async function expectNoOverflow(page: Page, name: string): Promise<void> {
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  expect(excess <= 0, `${name}: the page is ${excess} pixels wider than the window`)
}
