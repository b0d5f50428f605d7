import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { pageStages } from '../packages/service/test/inside.ts'

const root = join(import.meta.dirname, '..')
const service = join(root, 'packages/service/src')
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

it('serve-page.ts runs the stages of the table, in its order', () => {
  const spine = readFileSync(join(service, 'read/serve/serve-page.ts'), 'utf8')
  const run = [...spine.matchAll(/timer\.time\('(\w+)'/g)].map(([, name]) => name)
  expect(run).toEqual(Object.keys(pageStages))
})

it.each(Object.entries(pageStages))(
  'the file of %s exists and makes what the table says',
  (_name, { file, makes }) => {
    const text = readFileSync(join(service, file), 'utf8')
    // A result with a capital letter is a type and must occur in the file; any other result has no type.
    const isType = /^[A-Z]/.test(makes)
    expect(isType ? text.includes(makes) : true).toBe(true)
  },
)

const sources = globSync('packages/*/{src,app}', { cwd: root })
const folders = ['.', 'packages/service', 'packages/explorer', ...sources]

it.each([
  { document: 'ARCHITECTURE.md', least: 40 },
  { document: 'CONTRIBUTING.md', least: 30 },
  { document: 'packages/service/src/read/README.md', least: 15 },
])('every file and folder that $document names exists', ({ document, least }) => {
  const text = readFileSync(join(root, document), 'utf8')
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\/|[.](?:ts|mjs|sql|md|yml|yaml|json)))`/g)].map(
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(least)
  const within = [...folders, dirname(document)]
  // Examples of names, and names with a part to fill in.
  const isExample = (path: string) => /NNNN|NAME|^(plan-page|scan-rows|page-plan|types)[.]/.test(path)
  const missing = named.filter(
    (path) => !isExample(path) && !within.some((folder) => existsSync(join(root, folder, path))),
  )
  expect(missing).toEqual([])
})

it('nothing is still to come', () => {
  expect(page).not.toMatch(/to come|and later/i)
})
