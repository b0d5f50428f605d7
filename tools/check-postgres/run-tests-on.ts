import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { testOutcome, type ClaimResult } from '../check/test-outcome.ts'

const root = join(import.meta.dirname, '../..')
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

/** Prints failures as they occur; the report is written to its own file in the scratch folder. */
export async function runTestsOn(
  binFolder: string,
  tests: readonly string[],
  scratch: string,
): Promise<ClaimResult> {
  const report = join(scratch, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const words = [
    'run',
    ...tests,
    ...testsLeftOut.map((path) => `--exclude=${path}`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const exitCode = await new Promise<number>((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, ...words], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, OCTAVO_POSTGRES_BIN: binFolder, OCTAVO_TEST_DATABASE_URL: '' },
    })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
  return testOutcome(exitCode, await readFile(report, 'utf8').catch(() => '{}'), 0)
}
