// `npm run check`: the claims that this repository makes about itself (tools/check/claims.ts), those that answer soonest first. All are
// checked even if one fails, so that one run shows everything that needs fixing.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { changedPaths } from './check/changed-paths.ts'
import { chooseClaims } from './check/choose-claims.ts'
import { claims, type Size, sizes } from './check/claims.ts'
import { closingLines, type ClaimOutcome } from './check/closing-lines.ts'
import { recordNight } from './check/retries.ts'
import { runClaim } from './check/run-claim.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    /** Names, or parts of names, with commas between them. */
    only: { type: 'string' },
    /** A commit: the claims that only `--full` includes and that changes since then touch. */
    'touched-since': { type: 'string' },
    /** Only the names, as JSON: for the matrix of a workflow. */
    list: { type: 'boolean', default: false },
    /** For tests: `1/3` is the first of three parts. */
    shard: { type: 'string' },
    /** A file that keeps what was retried in the last nights; fails if one test was, too often. */
    retries: { type: 'string' },
  },
})
const touchedSince = values['touched-since']
const size: Size = values.quick ? 'quick' : values.full ? 'full' : 'change'
const chosen = chooseClaims(claims, {
  size,
  only: values.only?.split(','),
  changed: touchedSince === undefined ? undefined : changedPaths(touchedSince),
})
if (chosen.length === 0 && values.only !== undefined) {
  console.error(
    `No claim matches "${values.only}". The claims are ${claims.map((claim) => claim.name).join(', ')}.`,
  )
  process.exit(2)
}
if (values.list) {
  console.log(JSON.stringify(chosen.map(({ name }) => name)))
  process.exit(0)
}

const named = values.only === undefined && touchedSince === undefined ? `${size}, ${sizes[size]}: ` : ''
console.log(`Checking ${named}${chosen.map(({ name }) => name).join(', ')}`)

const outcomes: ClaimOutcome[] = []
const small = chosen.filter(({ size: own, countsTests }) => own === 'quick' && !countsTests)
const checkSmall = async (): Promise<void> => {
  for (let claim = small.shift(); claim !== undefined; claim = small.shift()) {
    outcomes.push(await runClaim(claim, { printsAtEnd: true }))
  }
}
const rest = chosen.filter((claim) => !small.includes(claim))
// Several at a time. The others measure times, or use all processors themselves.
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, checkSmall))
for (const claim of rest.filter(({ waits }) => !waits))
  outcomes.push(await runClaim(claim, { shard: values.shard }))
const waiting = rest.filter(({ waits }) => waits)
outcomes.push(...(await Promise.all(waiting.map((claim) => runClaim(claim, { printsAtEnd: true })))))

if (values.retries !== undefined) {
  const retried = outcomes.flatMap((outcome) => outcome.retried)
  const problems = recordNight(values.retries, { date: new Date().toISOString().slice(0, 10), retried })
  outcomes.push({ name: 'retries', passed: 0, failed: problems.length, why: problems, retried: [] })
}
console.log(`\n${closingLines(outcomes).join('\n')}`)
// Not process.exit, which would cut off what a pipe has not taken yet.
process.exitCode = outcomes.every(({ failed }) => failed === 0) ? 0 : 1
