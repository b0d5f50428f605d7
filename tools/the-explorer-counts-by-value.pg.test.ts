// Facets: how many objects have which value, and a click that filters, in a real browser and against the real service.
import { forAllTests } from '@octavo/dev-database/vitest'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { putItems } from '../packages/service/test/support/load-items.ts'
import { serveOnFreshDatabase } from '../packages/service/test/support/serve-on-fresh-database.ts'
import { testToken } from '../packages/service/test/support/test-access.ts'
import { firstLoadBytes, mostFirstLoadBytes } from './browser/first-load.ts'
import { someRow } from './browser/open-chromium.ts'
import { withExplorer } from './browser/with-explorer.ts'
import { defineType, struct } from '../packages/service/test/support/define-type.ts'

const parcel = defineType('parcel', {
  id: 'string',
  status: 'string searchable',
  depot: 'integer searchable sortable',
  place: struct({ city: 'string' }, 'searchable'),
  weight: 'double sortable',
  tags: 'string[] searchable',
})

/** 300 parcels: 150 sent, 100 lost, 20 with an empty text and 30 without a status; 25 depots of 12 parcels each. */
const parcels = Array.from({ length: 300 }, (_, i) => ({
  id: `p${String(i).padStart(3, '0')}`,
  ...(i < 270 && { status: i < 150 ? 'sent' : i < 250 ? 'lost & "found"' : '' }),
  depot: i % 25,
  place: { city: `c${i % 2}` },
  weight: i / 3,
  tags: ['t'],
}))

/** An aggregate may read as many objects as there are parcels, and no more. */
const budget = 300

const service = forAllTests(() =>
  serveOnFreshDatabase({ environment: { OCTAVO_AGGREGATE_OBJECTS: String(budget) } }),
)
const explorer = withExplorer(service)

beforeAll(async () => {
  const { store, ontology } = service
  await putItems(store, await store.applyObjectType(ontology, parcel), parcels)
  const many = await store.applyObjectType(ontology, { ...parcel, apiName: 'many' })
  await putItems(store, many, [...parcels, { ...parcels[0], id: 'q' }])
  const plain = { ...parcel, apiName: 'plain', properties: { id: { type: 'string' } } } as const
  await store.applyObjectType(ontology, plain)
})

const open = async (address: string): Promise<Page> => (await explorer.open(address, testToken)).page

/** Each value with its count, and what is said of the others. */
async function counts(page: Page, field: string): Promise<readonly string[]> {
  const rows = page.locator(`[aria-label="By ${field}"] li, [aria-label="By ${field}"] > p`)
  return (await rows.allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim())
}

const queryIn = (page: Page): unknown => JSON.parse(new URL(page.url()).searchParams.get('query') ?? 'null')

it('counts by value say exactly what is not shown, and the first load stays small', async () => {
  const page = await open('/?type=parcel')
  await page.waitForSelector(someRow)
  await page.click('button:text("Facets")')
  await expect
    .poll(() => counts(page, 'status'))
    .toEqual(['sent 150', 'lost & "found" 100', 'empty text 20', 'no value 30'])
  const offered = await page.locator('.facets .choices button').allInnerTexts()
  expect(offered).toEqual(['status', 'depot', 'place:city', '×'])
  await page.click('.facets .choices >> text=depot')
  await expect.poll(async () => (await counts(page, 'depot')).at(-1)).toBe('and 15 more values, 180 objects')
  expect((await counts(page, 'depot')).slice(0, 3)).toEqual(['0 12', '1 12', '2 12'])
  expect(new URL(page.url()).searchParams.get('facets')).toBe('status,depot')
  expect(firstLoadBytes()).toBeLessThan(mostFirstLoadBytes)
})

it('a value is a filter: it is added and removed by the keyboard too, and the address says it', async () => {
  const page = await open('/?type=parcel&facets=status,depot')
  const lost = page.locator('[aria-label="By status"] button', { hasText: 'lost' })
  await lost.focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector('.status:has-text("100 objects that match")')
  expect(queryIn(page)).toEqual({ type: 'eq', field: 'status', value: 'lost & "found"' })
  await expect.poll(() => lost.getAttribute('aria-pressed')).toBe('true')
  await page.locator('[aria-label="By depot"] button', { hasText: '7' }).first().click()
  await page.waitForSelector('.status:has-text("4 objects that match")')
  expect(await page.locator('.pill').allInnerTexts()).toHaveLength(2)
  await page.reload()
  await expect.poll(() => counts(page, 'depot')).toEqual(['7 4'])
  await lost.click()
  await page.waitForSelector('.status:has-text("12 objects that match")')
  expect(queryIn(page)).toEqual({ type: 'eq', field: 'depot', value: 7 })
  await page.goBack()
  await page.waitForSelector('.status:has-text("4 objects that match")')
})

it('objects without a value, and those with an empty text, can be filtered by', async () => {
  const page = await open('/?type=parcel&facets=status,place:city')
  await page.click('[aria-label="By status"] >> text=no value')
  await page.waitForSelector('.status:has-text("30 objects that match")')
  await page.click('[aria-label="By status"] >> text=no value')
  await page.click('[aria-label="By status"] >> text=empty text')
  await page.waitForSelector('.status:has-text("20 objects that match")')
  await expect.poll(() => counts(page, 'place:city')).toEqual(['c0 10', 'c1 10'])
  // Changing another condition keeps this one.
  await page.click('[aria-label="By place:city"] >> text=c1')
  await page.waitForSelector('.status:has-text("10 objects that match")')
  await page.click('[aria-label="Remove: place:city is c1"]')
  await page.waitForSelector('.status:has-text("20 objects that match")')
})

it('what would read too many objects is refused in the words of the service, and counted once the filter is narrow', async () => {
  const page = await open('/?type=many&facets=status')
  await page.waitForSelector('.facet [role=alert]')
  const said = await page.textContent('.facet [role=alert]')
  expect(said).toContain('Too many objects to count.')
  expect(said).toContain(`an aggregate may read ${budget} objects`)
  expect(said).toContain('--aggregate-objects')
  await page.goto(`${page.url()}&query=${encodeURIComponent('{"type":"eq","field":"depot","value":3}')}`)
  await expect.poll(() => counts(page, 'status')).toContain('sent 6')
})

it('a field that does not exist any more is left out with a notice, and a type without one has no facets', async () => {
  const page = await open('/?type=parcel&facets=gone,status')
  await page.waitForSelector('.notice:has-text("There are no counts by gone any more")')
  await expect.poll(() => new URL(page.url()).searchParams.get('facets')).toBe('status')
  await page.click('[aria-label="Close the facets"]')
  await expect.poll(() => new URL(page.url()).searchParams.has('facets')).toBe(false)
  await page.goto(`${service.url}/?type=plain&facets=id`)
  await page.waitForSelector('.notice:has-text("There are no counts by id any more")')
  expect(await page.locator('button:text("Facets")').count()).toBe(0)
})
