// Export, the picture of a walk, and changes as they happen: in a real browser and against the real service.
import { readFile } from 'node:fs/promises'
import { forAllTests } from '@octavo/dev-database/vitest'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { serveOnFreshDatabase } from '../packages/service/test/support/serve-on-fresh-database.ts'
import { someRow } from './browser/open-chromium.ts'
import { withExplorer } from './browser/with-explorer.ts'
import { makeExampleOntology } from './dev/example-ontology.ts'

const service = forAllTests(serveOnFreshDatabase)
const example = forAllTests(() => makeExampleOntology(service.databaseUrl))
const explorer = withExplorer(service)

const open = async (address: string): Promise<Page> => (await explorer.open(address, example.token)).page

const write = async (...lines: readonly object[]): Promise<void> => {
  const answer = await service.fetch(`/manage/v1/ontologies/${example.rid}/objectTypes/employee/batches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${example.token}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  expect(answer.status).toBe(200)
}

async function exported(page: Page, format: string): Promise<string> {
  await page.click('text=Export')
  const download = page.waitForEvent('download')
  await page.click(`.export >> text=${format}`)
  const path = await (await download).path()
  await page.waitForSelector('.export .good')
  return readFile(path, 'utf8')
}

it('exports all objects of the state on the screen, and verifies their checksum', async () => {
  const page = await open('/?type=employee&order=fullName:desc&columns=fullName,department')
  await page.waitForSelector(someRow)
  await write({ type: 'put', properties: { employeeId: 2001, fullName: 'Zed Later', department: 'Maps' } })
  const lines = (await exported(page, 'CSV')).split('\r\n')
  expect(lines.slice(0, 2)).toEqual(['fullName,department', 'Tomás Ferreira,Bindery'])
  expect(lines).toHaveLength(1 + 12 + 1)
  expect(await page.textContent('.export .good')).toMatch(
    /Saved 12 objects, complete at version 1\. .*[0-9a-f]{16}/,
  )
  await write({ type: 'delete', primaryKey: 2001 })
})

it('exports what matches a filter, with every property', async () => {
  const query = encodeURIComponent('{"type":"eq","field":"department","value":"Maps"}')
  const page = await open(`/?type=employee&query=${query}`)
  await page.waitForSelector(someRow)
  const objects = (await exported(page, 'NDJSON')).trim().split('\n')
  expect(objects.map((line) => (JSON.parse(line) as { fullName: string }).fullName)).toEqual([
    'Aiko Tanaka',
    'Ruth Abrams',
  ])
  expect(Object.keys(JSON.parse(objects[0] ?? '') as object).toSorted()).toEqual([
    'department',
    'employeeId',
    'fullName',
    'name',
    'startedOn',
  ])
})

it('shows that a walk without a snapshot loses objects that move, and one from a snapshot does not', async () => {
  const page = await open('/?type=employee&show=walk')
  await page.click('text=Run with a writer')
  await page.waitForSelector('.reader.snapshot .good')
  const figures = async (reader: string) =>
    (await page.locator(`.reader.${reader} dd`).allTextContents()).map((text) =>
      Number(text.replaceAll(',', '')),
    )
  const [came, missed, twice] = await figures('snapshot')
  expect([came, missed, twice]).toEqual([4_000, 0, 0])
  expect(await page.textContent('.reader.snapshot .good')).toMatch(
    /4,000 of 4,000 .* Checksum [0-9a-f]{16} verified/,
  )
  // Some 600 moves at random places: that none of them crosses the reader does not happen.
  const [, plainMissed = 0, plainTwice = 0] = await figures('plain')
  expect(plainMissed).toBeGreaterThan(0)
  expect(plainTwice).toBeGreaterThan(0)
  await expect
    .poll(() => page.textContent('.meanwhile'))
    .toMatch(/others changed \d+ objects, inserted [1-9]/)
})

it('shows changes as they happen, counts them, and can be paused', async () => {
  const page = await open('/?type=employee')
  await page.waitForSelector(someRow)
  await page.click('text=Live')
  const nameOf = (row: number) => page.textContent(`[data-cell="${row}:1"]`)
  await write({ type: 'merge', properties: { employeeId: 1002, fullName: 'Jonas Renamed' } })
  await expect.poll(() => nameOf(1)).toBe('Jonas Renamed')
  await write({ type: 'delete', primaryKey: 1003 })
  await page.waitForSelector('.grid-row.changed-delete:has-text("Leila Haddad")')
  await expect.poll(() => page.textContent('.live')).toBe('Live: 2')
  await page.click('.live')
  await write({ type: 'merge', properties: { employeeId: 1002, fullName: 'Jonas Again' } })
  await page.waitForTimeout(1_000)
  expect(await nameOf(1)).toBe('Jonas Renamed')
  await page.click('.live')
  await expect.poll(() => nameOf(1)).toBe('Jonas Again')
})
