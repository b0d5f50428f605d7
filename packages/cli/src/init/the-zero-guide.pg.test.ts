// docs/guides/from-zero-to-your-own-data.md gives a file, commands, and what they print.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testContext } from '../../test/support/test-context.ts'
import { serveOctavo, type ServedOctavo } from '../../test/support/served-octavo.ts'

const guide = readFileSync(
  new URL('../../../../docs/guides/from-zero-to-your-own-data.md', import.meta.url),
  'utf8',
)
const [, csv = ''] = /```csv\n([^]*?)```/.exec(guide) ?? []
/** Commands with what is shown below them, in order. */
const steps = [...guide.matchAll(/```sh\n([^`]*)```\n\n```text\n([^]*?)```/g)].map(
  ([, sh = '', text = '']) => ({
    commands: sh.trim().split('\n'),
    text,
  }),
)

let octavo: ServedOctavo
let folder = ''
beforeAll(async () => {
  octavo = await serveOctavo()
  folder = mkdtempSync(join(tmpdir(), 'octavo-guide-'))
  writeFileSync(join(folder, 'paintings.csv'), csv)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await octavo.close()
})

const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

async function typed(command: string): Promise<string> {
  const [line = '', file] = command.split(' > ')
  const [program, ...words] = wordsOf(line)
  expect(program).toBe('octavo')
  const environment = { OCTAVO_URL: octavo.url, OCTAVO_TOKEN: octavo.token, OCTAVO_ONTOLOGY: 'museum' }
  // The page shows what a reader sees on a terminal of 80 columns.
  const { output } = testContext().context
  let out = ''
  const write = async (text: string | Uint8Array) => void (out += String(text))
  const shown = { ...output, write, isTerminal: true }
  const { code, err } = await octavo.runWith({ environment, currentFolder: folder, output: shown }, ...words)
  expect(code, `${command}: ${err}`).toBe(0)
  if (file === undefined) return out
  writeFileSync(join(folder, file), out)
  return ''
}

/** Times differ from run to run. */
const timeless = (text: string): string => text.replaceAll(/ in \d+\.\d s/g, ' in 0.1 s')

it('every command of the guide prints what the guide shows', async () => {
  expect(steps.length).toBeGreaterThanOrEqual(8)
  const problems: string[] = []
  for (const { commands, text } of steps) {
    let printed = ''
    for (const command of commands) printed += await typed(command)
    if (timeless(printed) !== timeless(text)) problems.push(`${commands.join('\n')}\nprints\n${printed}`)
  }
  expect(problems.join('\n')).toBe('')
})
