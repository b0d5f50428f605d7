// `npm run check`: every claim this repository makes about itself, quick ones first.
// All claims are tried even if one fails, so that one run shows everything there is to mend.
import { parseArgs } from 'node:util'
import { claims } from './check/claims.ts'
import { runClaim } from './check/run-claim.ts'
import type { ClaimResult } from './check/test-outcome.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
const chosen = claims.filter(
  (claim) => (!values.only || claim.name.includes(values.only)) && !(values.quick && claim.slow),
)
if (chosen.length === 0) {
  console.error(
    `No claim matches "${values.only}". There are: ${claims.map((claim) => claim.name).join(', ')}.`,
  )
  process.exit(2)
}

const results: ClaimResult[] = []
for (const claim of chosen.filter(({ waits }) => !waits)) results.push(await runClaim(claim))
results.push(...(await Promise.all(chosen.filter(({ waits }) => waits).map(runClaim))))

const sum = (count: keyof ClaimResult) => results.reduce((total, result) => total + result[count], 0)
const failed = sum('failed')
console.log(`\n${sum('passed')} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
