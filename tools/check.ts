// `npm run check`: every claim this repository makes about itself, quick ones first. All claims are checked even if one
// fails, so that one run shows everything that needs fixing.
import { parseArgs } from 'node:util'
import { claims } from './check/claims.ts'
import { closingLines, type ClaimOutcome } from './check/closing-lines.ts'
import { runClaim } from './check/run-claim.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
const chosen = claims.filter(
  (claim) => (!values.only || claim.name.includes(values.only)) && !(values.quick && claim.slow),
)
if (chosen.length === 0) {
  console.error(
    `No claim matches "${values.only}". The claims are ${claims.map((claim) => claim.name).join(', ')}.`,
  )
  process.exit(2)
}

const outcomes: ClaimOutcome[] = []
const quick = chosen.filter(({ slow }) => !slow)
const check = async (): Promise<void> => {
  for (let claim = quick.shift(); claim !== undefined; claim = quick.shift()) {
    outcomes.push(await runClaim(claim, { printsAtEnd: true }))
  }
}
// Two at a time. The others measure times, or use all cores themselves.
await Promise.all([check(), check()])
for (const claim of chosen.filter(({ slow, waits }) => slow && !waits)) outcomes.push(await runClaim(claim))
const waiting = chosen.filter(({ waits }) => waits)
outcomes.push(...(await Promise.all(waiting.map((claim) => runClaim(claim, { printsAtEnd: true })))))

console.log(`\n${closingLines(outcomes).join('\n')}`)
// Not process.exit, which would cut off what a pipe has not taken yet.
process.exitCode = outcomes.every(({ failed }) => failed === 0) ? 0 : 1
