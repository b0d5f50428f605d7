// What `octavo load` prints for files as spreadsheets and other systems write them. The expected result of each case is in
// csv-cases/*.golden.txt: the loaded rows, the messages, the files of rejected records and of the reasons.
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import type { Ran } from '../../test/support/served-octavo.ts'
import { defineType, struct } from '../../../service/test/support/define-type.ts'

const definition = defineType('row', {
  id: 'string',
  note: 'string',
  age: 'integer',
  badge: 'long',
  height: 'double',
  fare: 'decimal',
  open: 'boolean',
  born: 'date',
  seen: 'timestamp',
  tags: 'string[]',
  home: struct({ city: 'string' }),
})

const cases = join(import.meta.dirname, 'csv-cases')
const served = forAllTests(serveCommand)

/** Each case has its own object type, and its file is alone in the folder. */
async function outcomeOf(
  name: string,
  content: Buffer | undefined,
  flags: readonly string[] = ['--columns-are-whole'],
): Promise<string> {
  const objectType = name.replaceAll('-', '.')
  await served.declare({ ...definition, apiName: objectType })
  const file = join(served.folder, `${name}.csv`)
  if (content === undefined) await copyFile(join(cases, `${name}.csv`), file)
  else await writeFile(file, content)
  const result = await served.run(['load', objectType, `${name}.csv`, ...flags])
  const rows = await served.run(['export', objectType])
  const rejected = await readFile(`${file}.rejected.csv`, 'utf8').catch(() => '')
  const reasons = await readFile(`${file}.rejected.csv.reasons.ndjson`, 'utf8').catch(() => '')
  await rm(file)
  // No saved state is left behind.
  const left = await readdir(served.folder)
  expect(left.filter((each) => !each.includes('.rejected.'))).toEqual([])
  for (const each of left) await rm(join(served.folder, each))
  return describe(result, { rows: rows.out, rejected, reasons })
}

interface Written {
  readonly rows: string
  readonly rejected: string
  readonly reasons: string
}

const describe = ({ code, out, err }: Ran, { rows, rejected, reasons }: Written): string =>
  `exit code ${code}

-- standard output
${out.replace(/ in [0-9.]+ s:/, ' in N s:')}
-- standard error
${err}
-- objects
${shortened(rows)}
-- rejected
${shortened(rejected)}
-- reasons
${shortened(reasons)}`

/** Shortens long runs: a line of a megabyte proves nothing more in full. */
const shortened = (text: string): string =>
  text.replaceAll(/(.)\1{999,}/g, (run, character: string) => `<${run.length} times ${character}>`)

it('a CSV file: missing-columns', async () => {
  const outcome = await outcomeOf('missing-columns', undefined, [])
  await expect(outcome).toMatchFileSnapshot(join(cases, 'missing-columns.golden.txt'))
})

for (const name of [
  'wrong-types',
  'missing-keys',
  'duplicate-keys',
  'quotes',
  'unknown-columns',
  'no-key-column',
  'semicolons',
  'empty',
]) {
  it(`${name}.csv gives the right rows and the right words`, async () => {
    await expect(await outcomeOf(name, undefined)).toMatchFileSnapshot(join(cases, `${name}.golden.txt`))
  })
}

const made: Readonly<Record<string, Buffer>> = {
  'windows-file': Buffer.from('\uFEFFid,note\r\nwin1,"two\r\nlines"\r\nwin2,\r\n\r\nwin3,last\r\n'),
  'bad-utf-8': Buffer.concat([
    Buffer.from('id,note\nb1,good é\nb2,caf'),
    Buffer.from([0xe9]),
    Buffer.from('\nb3,good again\nb4,"cut '),
    Buffer.from([0xe2, 0x82]),
    Buffer.from('"\nb5,last\n'),
  ]),
  'long-lines': Buffer.from(
    `id,note,age\nl1,${'x'.repeat(1024 ** 2)},1\nl2,"${'y'.repeat(1024 ** 2)}",old\nl3,short,3\n`,
  ),
  'too-long-lines': Buffer.from(`id,note\nt1,${'x'.repeat(17 * 1024 ** 2)}\nt2,short\n`),
}

for (const [name, content] of Object.entries(made)) {
  it(`${name}.csv gives the right rows and the right words`, async () => {
    await expect(await outcomeOf(name, content)).toMatchFileSnapshot(join(cases, `${name}.golden.txt`))
  })
}
