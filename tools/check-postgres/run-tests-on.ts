import type { ClaimResult } from '../check/test-outcome.ts'
import { runVitest } from '../run-vitest.ts'

const service = 'packages/service'

const inService = (names: readonly string[]): readonly string[] => names.map((name) => `${service}/${name}`)

/** The statements of pages and commits, which another version of PostgreSQL is most likely to plan differently. */
export const shortTests = inService(['src/write/commit/', 'src/read/rows/', 'src/read/sql/'])
export const allTests = [
  ...shortTests,
  ...inService(['src/catalog/', 'src/write/define/', 'src/upkeep/prune/', 'test/promises/']),
]

/** These tests need pg_basebackup or pg_dump, which the packages do not contain. */
export const testsLeftOut = [
  'a-restore-ends-snapshot-walks',
  'a-standby-is-not-the-database',
  'snapshot-pages-come-from-a-replica',
].map((name) => `${service}/test/promises/${name}.pg.test.ts`)

export const runTestsOn = (
  binFolder: string,
  tests: readonly string[],
  scratch: string,
): Promise<ClaimResult> =>
  runVitest(tests, {
    exclude: testsLeftOut,
    environment: { OCTAVO_POSTGRES_BIN: binFolder, OCTAVO_TEST_DATABASE_URL: '' },
    scratch,
  })
