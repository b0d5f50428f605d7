// The tests of the service, on a coordinator and two workers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runVitest } from '../run-vitest.ts'
import { expect, type Proof } from '../prove.ts'

const inService = (names: readonly string[]): readonly string[] =>
  names.map((name) => `packages/service/${name}`)

/** Statements of pages, commits and definitions, and walks over HTTP. */
const shortTests = inService([
  'src/catalog/',
  'src/write/commit/',
  'src/write/define/apply-ontology',
  'src/read/rows/',
  'src/upkeep/prune/',
  'test/promises/a-walk-returns-every-object-once',
])

const allTests = ['packages/service/']

/** Test files that mean nothing on a cluster, each with its reason. */
const leftOut: Readonly<Record<string, string>> = {
  'src/read/rows/every-statement-proves-its-version.pg.test.ts':
    'where an old snapshot of PostgreSQL stands for a server that is behind: Citus has no snapshot over several nodes',
}

export const proveSuites = (proof: Proof): Promise<void> =>
  proof.point('The tests of the service pass on a coordinator and two workers', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'octavo-citus-'))
    try {
      for (const [file, reason] of Object.entries(leftOut)) proof.say(`left out: ${file}, ${reason}`)
      const outcome = await runVitest(proof.short ? shortTests : allTests, {
        exclude: Object.keys(leftOut).map((file) => `packages/service/${file}`),
        environment: { OCTAVO_TEST_CITUS_WORKERS: '2', OCTAVO_TEST_DATABASE_URL: '' },
        scratch,
      })
      expect(outcome.failed === 0, `${outcome.failed} tests failed, ${outcome.passed} passed`)
      return `${outcome.passed} tests`
    } finally {
      rmSync(scratch, { recursive: true })
    }
  })
