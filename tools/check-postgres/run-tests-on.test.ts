import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allTests, testsLeftOut } from './run-tests-on.ts'

const root = join(import.meta.dirname, '../..')

it('leaves out the tests that need more programs than the server, and no others', () => {
  const needing = globSync('packages/service/test/promises/*.pg.test.ts', { cwd: root }).filter((path) =>
    /startStandby|serveWithStandby|'pg_(dump|basebackup|restore)'/.test(
      readFileSync(join(root, path), 'utf8'),
    ),
  )
  expect(testsLeftOut.toSorted()).toEqual(needing.toSorted())
})

it.each(allTests)('%s has tests', (start) => {
  expect(
    globSync(`${start}**/*.test.ts`, { cwd: root }).length +
      globSync(`${start}*.test.ts`, { cwd: root }).length,
  ).toBeGreaterThan(0)
})
