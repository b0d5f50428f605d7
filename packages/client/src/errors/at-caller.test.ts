import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { numberedPages, scriptedServer } from '../../test/support/scripted-server.ts'

const program = join(import.meta.dirname, '../../test/support/failing-caller.ts')

it('an error of a request has the line of the call that failed, also of a page that was read ahead', async () => {
  const { url } = await scriptedServer((asked) =>
    asked.method === 'POST' && asked.pageToken !== 't3'
      ? numberedPages(5)(asked)
      : { status: 400, body: { errorName: 'InvalidPageSize', parameters: {}, errorDescription: 'No.' } },
  )
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@octavo/source',
    program,
    url,
  ])
  const shown = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; first: string; at: number })
  const lines = readFileSync(program, 'utf8').split('\n')
  expect(shown.map(({ name }) => name)).toEqual([
    'a loop over objects',
    'a loop over pages',
    'toArray',
    'firstPage',
    'get of a list',
    'get of a search',
    'an option',
  ])
  for (const { name, first, at } of shown.slice(0, -1)) {
    expect(first, name).toBe('OctavoError: InvalidPageSize: No.')
    expect(lines[at - 1], name).toContain(`// ${name}`)
  }
})
