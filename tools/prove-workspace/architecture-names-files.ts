import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Proof } from '../prove.ts'

/** The steps of a page request, in their order. Each must be in the picture and have a row with its file. */
const steps = [
  'auth/authenticate-caller',
  'request/parse-page-request',
  'token/open-page-token',
  'plan/plan-page',
  'sql/compile-page-query',
  'rows/read-page',
  'page/write-page',
  'token/seal-page-token',
] as const

type NamedFile = { readonly path: string; readonly toCome: boolean }

export async function showArchitecture(root: string, { say }: Proof): Promise<string> {
  const text = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
  const section = /^## The life of a page request$(.*?)^## /ms.exec(text)?.[1] ?? ''
  const drawn = [...section.matchAll(/^ +[├└]─ (\d+) +([\w/-]+) /gm)].map(([, , step]) => step)
  expect(
    drawn.join() === steps.join(),
    `the picture has the steps ${drawn.join(', ')}, not ${steps.join(', ')}`,
  )

  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  const files = rows.flatMap(namedFiles)
  const problems = steps
    .filter((step) => !files.some(({ path }) => path === `${step}.ts`))
    .map((step) => `no row of the table names ${step}.ts`)

  const service = join(root, 'packages/service/src')
  for (const { path, toCome } of files) {
    const exists = existsSync(join(service, path))
    say(`${path}: ${exists ? 'there' : 'to come'}`)
    if (!exists && !toCome) problems.push(`${path} does not exist and is not marked "(to come)"`)
  }
  // The code map and the life of a commit mark folders, packages and files in the same way.
  for (const path of new Set(markedToCome(text))) {
    if ([service, root].some((folder) => existsSync(join(folder, path)))) {
      problems.push(`${path} exists and is still marked "(to come)"`)
    }
  }
  expect(problems.length === 0, problems.join('\n   | '))
  return `${steps.length} steps, ${files.length} files named`
}

/** The files of the second column: `path` or `path` _(to come)_. */
function namedFiles(row: string): NamedFile[] {
  const column = row.split('|')[2] ?? ''
  return [...column.matchAll(/`([\w/-]+[.]ts)`( _\(to come\)_)?/g)].map(([, path = '', mark]) => ({
    path,
    toCome: mark !== undefined,
  }))
}

const markedToCome = (text: string): string[] =>
  [...text.matchAll(/`([\w/.-]+)`\s+_\(to come\)_/g)].map(([, path = '']) => path)
