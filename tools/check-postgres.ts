// `npm run check:postgres -- 16 17 18`: runs the tests that use SQL on other versions of PostgreSQL. `--all` uses every
// version that we test on; `--short` runs the part that the full check runs on each.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPostgres } from './check-postgres/install-postgres.ts'
import { allTests, runTestsOn, shortTests } from './check-postgres/run-tests-on.ts'
import { postgresVersions } from './check-postgres/versions.ts'

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const known = Object.keys(postgresVersions)
const asked = values.all ? known : positionals
if (asked.length === 0 || asked.some((major) => !known.includes(major))) {
  console.error(
    `Name the versions (${known.join(', ')}) or use --all, for example: npm run check:postgres -- 16 18`,
  )
  process.exit(2)
}
if (`${process.platform}-${process.arch}` !== 'linux-x64') {
  console.log(
    'NOT TRIED: the programs are there for Linux on x64 only. Install them yourself, set OCTAVO_POSTGRES_BIN and run `npm test`.',
  )
  process.exit(0)
}

const scratch = mkdtempSync(join(tmpdir(), 'octavo-postgres-'))
const lines: string[] = []
let failed = 0
try {
  for (const major of asked) {
    const wanted = postgresVersions[major]
    if (wanted === undefined) continue
    const startedAt = performance.now()
    const folder = await installPostgres(wanted, scratch)
    const outcome = await runTestsOn(folder, values.short ? shortTests : allTests, scratch)
    failed += outcome.failed
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    const version = wanted.version.split('.').slice(0, 2).join('.')
    lines.push(
      `PostgreSQL ${version}: ${outcome.passed} tests passed, ${outcome.failed} failed, ${seconds} s`,
    )
    console.log(lines.at(-1))
  }
} finally {
  rmSync(scratch, { recursive: true })
}
if (lines.length > 1) console.log(`\n${lines.join('\n')}`)
process.exit(failed === 0 ? 0 : 1)
