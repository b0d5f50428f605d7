import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

it('every file and folder that ARCHITECTURE.md names exists', () => {
  const named = [...page.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\/|[.](?:ts|mjs|sql)))`/g)].map(
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(40)
  const sources = globSync('packages/*/{src,app}', { cwd: root }).map((folder) => join(root, folder))
  const folders = [root, join(root, 'packages/service'), join(root, 'packages/explorer'), ...sources]
  const missing = named.filter((path) => !folders.some((folder) => existsSync(join(folder, path))))
  expect(missing).toEqual([])
})

it('nothing is still to come', () => {
  expect(page).not.toMatch(/to come|and later/i)
})
