// The history of an object, the table as it was, and what a type holds: in a real browser and against the real service.
import { forAllTests } from '@octavo/dev-database/vitest'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { letTimePass } from '../packages/service/test/support/let-time-pass.ts'
import { itemDefinition, items, putItems } from '../packages/service/test/support/load-items.ts'
import { serveOnFreshDatabase } from '../packages/service/test/support/serve-on-fresh-database.ts'
import { grantTo, newTokenOf, testToken } from '../packages/service/test/support/test-access.ts'
import { firstLoadBytes, mostFirstLoadBytes } from './browser/first-load.ts'
import { someRow } from './browser/open-chromium.ts'
import { withExplorer } from './browser/with-explorer.ts'

const service = forAllTests(serveOnFreshDatabase)
const { open: openWith } = withExplorer(service)

const open = async (address: string, token: string = testToken): Promise<Page> =>
  (await openWith(address, token)).page

const newType = (apiName: string) => service.store.applyObjectType(service.ontology, itemDefinition(apiName))

const statesOf = (page: Page): Promise<readonly string[]> => page.locator('.state').allInnerTexts()

it('the history of an object says what each commit changed in it, also when it is gone', async () => {
  const type = await newType('written')
  const { store } = service
  await putItems(store, type, [{ id: 'a', rank: 1, label: 'one' }])
  await putItems(store, type, [{ id: 'a', rank: 2, tags: ['<b>'] }])
  await store.commit({ parts: [{ type, changes: [{ kind: 'delete', key: 'a' }] }] })
  const page = await open('/?type=written&object=a')
  await page.waitForSelector('.object:has-text("There is no")')
  await page.click('text=History')
  await expect.poll(() => statesOf(page)).toHaveLength(3)
  const [deleted, changed, created] = await statesOf(page)
  expect(deleted).toMatch(/^Deleted version 3, \d{4}-/)
  expect(changed).toMatch(/^Changed version 2/)
  expect(changed).toContain('1 → 2')
  expect(changed).toMatch(/label\s+one → no value/)
  expect(changed).toMatch(/tags\s+\["<b>"\]/)
  expect(created).toMatch(/^New version 1/)
  await expect.poll(() => page.textContent('.history')).toContain('Nothing is kept before version 0')
  await page.locator('.state button').nth(1).click()
  await page.waitForSelector(someRow)
  await expect.poll(() => page.textContent('.earlier.past')).toContain('Version 2,')
})

it('a long history comes in pages, each state with what it changed', async () => {
  const type = await newType('often')
  for (let rank = 0; rank < 45; rank += 1) await putItems(service.store, type, [{ id: 'a', rank }])
  const page = await open('/?type=often&object=a')
  await page.click('text=History')
  await expect.poll(() => statesOf(page)).toHaveLength(19)
  for (const states of [39, 45]) {
    await page.click('text=Show older states')
    await expect.poll(() => statesOf(page)).toHaveLength(states)
  }
  const ranks = (await statesOf(page)).map((text) => /rank\s+(.*)/.exec(text)?.[1])
  expect(ranks).toEqual([...Array.from({ length: 44 }, (_, i) => `${43 - i} → ${44 - i}`), '0'])
})

it('a slider shows the table as it was; the address names that state, and one click leads back', async () => {
  const type = await newType('grown')
  for (const count of [3, 5, 9]) await putItems(service.store, type, items(count))
  const page = await open('/?type=grown')
  const total = () => page.textContent('.status [role=status]')
  await expect.poll(total).toContain('9 objects at version 3')
  await page.click('text=As it was')
  await page.focus('input[type=range]')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(total).toContain('5 objects at version 2')
  expect(await page.getAttribute('input[type=range]', 'aria-valuetext')).toMatch(
    /^Version 2, .* UTC \(2 created\), 1 commit before the latest\.$/,
  )
  await page.keyboard.press('ArrowLeft')
  await expect.poll(total).toContain('3 objects at version 1')
  await page.reload()
  await expect.poll(total).toContain('3 objects at version 1')
  await expect.poll(() => page.textContent('.earlier.past')).toContain('2 commits before the latest')
  await page.focus('input[type=range]')
  await page.keyboard.press('Home')
  await expect.poll(total).toContain('0 objects at version 0')
  await page.click('text=Back to now')
  await expect.poll(total).toContain('9 objects at version 3')
  expect(new URL(page.url()).searchParams.has('at')).toBe(false)
})

it('a state that is no longer kept says so, and what to do', async () => {
  const type = await newType('pruned')
  for (const count of [1, 2, 3]) await putItems(service.store, type, items(count))
  const page = await open('/?type=pruned')
  await page.click('text=As it was')
  await page.waitForSelector('input[type=range]')
  await page.focus('input[type=range]')
  await page.keyboard.press('ArrowLeft')
  await page.waitForSelector('.earlier.past')
  const kept = page.url()
  await letTimePass(service.store, type, 5_000)
  await service.store.prune(type, { retentionSeconds: 3_600, settleSeconds: 0, commitsKeptSeconds: 100_000 })
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.textContent('.earlier .failure')).toContain('SnapshotTooOld')
  expect(await page.textContent('.earlier')).toContain('--snapshot-retention-seconds')
  await page.goto('about:blank')
  await page.goto(kept)
  await expect.poll(() => page.textContent('.failure')).toContain('not kept any more')
  await page.click('text=Show the latest')
  await expect.poll(() => page.textContent('.status [role=status]')).toContain('3 objects at version 3')
})

it('owners see what a type costs and who read it; readers are told why not', async () => {
  const type = await newType('held')
  for (const count of [50, 60]) await putItems(service.store, type, items(count))
  const page = await open('/?type=held')
  await page.waitForSelector(someRow)
  await expect.poll(() => page.textContent('.timing')).toMatch(/database [\d.]+ of [\d.]+ ms/)
  await expect
    .poll(async () => {
      await page.goto(`${service.url}/?type=held&show=facts`)
      await page.waitForSelector('[aria-label=Indexes]')
      return page.textContent('.facts')
    })
    .toContain('searchObjects')
  const holds = await page.locator('.facts').innerText()
  expect(holds).toMatch(/objects now\s+[\d.]+ kB, about/)
  expect(holds).toMatch(/a state is kept for\s+\d+ \w+/)
  expect(holds).toMatch(/rank\s+whole values, in order\s+[\d.]+ kB/)
  expect(await page.getAttribute('.commits svg', 'aria-label')).toMatch(/^2 commits, from/)

  await grantTo(service.store, 'rita', service.ontology.rid, 'reader')
  const { token } = await newTokenOf(service.store, { subject: 'rita' })
  const readers = await open('/?type=held&show=facts', token)
  await readers.waitForSelector('.commits svg')
  expect(await readers.locator('.facts .denied').allInnerTexts()).toEqual([
    'Sizes are for writers and owners: they would tell readers of objects that a policy hides. Your role is reader.',
    'The audit is for owners of the ontology. Your role is reader.',
  ])
})

it('the first load is at most 60 kB of gzip', async () => {
  await open('/?type=held')
  expect(firstLoadBytes()).toBeLessThanOrEqual(mostFirstLoadBytes)
})

it('the links of an object lead to others, and back', async () => {
  const { store } = service
  const makers = await store.applyObjectType(service.ontology, {
    ...itemDefinition('maker'),
    links: {},
  })
  const things = await store.applyObjectType(service.ontology, {
    ...itemDefinition('thing'),
    properties: { ...itemDefinition('thing').properties, maker: { type: 'string', searchable: true } },
    links: { maker: { objectType: 'maker', foreignKeyProperty: 'maker', reverse: 'things' } },
  })
  await putItems(store, makers, [{ id: 'm', rank: 1 }])
  await putItems(store, things, [
    { id: 'a', rank: 1, maker: 'm' },
    { id: 'b', rank: 2, maker: 'm' },
    { id: 'c', rank: 3 },
  ])
  const page = await open('/?type=thing&object=a')
  await page.click('.links a:has-text("maker")')
  await page.waitForSelector('.object[aria-label="Item m"]')
  await page.click('.links a:has-text("things")')
  await page.waitForSelector(someRow)
  await expect.poll(() => page.locator(someRow).count()).toBe(2)
  await page.goBack()
  await page.waitForSelector('.object[aria-label="Item m"]')
  // An object without the key has no such link.
  await page.goto(`${service.url}/?type=thing&object=c`)
  await page.waitForSelector('.object dl')
  expect(await page.locator('.links').count()).toBe(0)
})
