import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const served = forAllTests(serveCommand)

const texts = ["=cmd|' /C calc'!A0", '+1+1', '-1', '@SUM(1)', '\tx', '\rx', 'plain', ' =1', '']

beforeAll(async () => {
  await served.declare(defineType('thing', { id: 'integer', text: 'string', price: 'decimal' }))
  const lines = texts.map((text, i) => `${JSON.stringify({ id: -i, text, price: '-1.5' })}\n`)
  await writeFile(join(served.folder, 'load.ndjson'), lines.join(''))
  expect((await served.run(['load', 'thing', 'load.ndjson'])).code).toBe(0)
})

const exported = async (...flags: readonly string[]): Promise<string> => {
  const end = await served.run(['export', 'thing', '--out', 'x.csv', ...flags])
  expect(end).toMatchObject({ code: 0, err: '' })
  return readFile(join(served.folder, 'x.csv'), 'utf8')
}

it('texts that a spreadsheet would take for formulas get an apostrophe, if that is asked for', async () => {
  expect(await exported('--escape-formulas')).toBe(`id,text,price
-8,"",-1.5
-7," =1",-1.5
-6,plain,-1.5
-5,"'\rx",-1.5
-4,'\tx,-1.5
-3,'@SUM(1),-1.5
-2,'-1,-1.5
-1,'+1+1,-1.5
0,'=cmd|' /C calc'!A0,-1.5
`)
})

it('otherwise they are what they are, and can be loaded', async () => {
  expect(await exported()).toContain(',=cmd|')
  expect((await served.run(['load', 'thing', 'x.csv'])).out).toContain('0 created, 0 updated, 9 unchanged')
})

it('only CSV is opened by spreadsheets', async () => {
  const end = await served.run(['export', 'thing', '--escape-formulas'])
  expect(end).toMatchObject({ code: 2, err: expect.stringContaining('--escape-formulas is for CSV') })
})
