// `npm run prove`: lists the proofs and their points. `npm run prove -- NAME` runs one, with `--point POINT` only that point, and with
// `--short` what takes at most three minutes and does not depend on the speed of the machine.
import { parseArgs } from 'node:util'
import { choosePoints, showPoints, startProof } from '../proofs/harness/prove.ts'
import { claims } from './check/claims.ts'
import { describeProof, loadProof, proofNames } from './prove/proofs.ts'

const [name, ...words] = process.argv.slice(2)

if (name === undefined || name.startsWith('-')) {
  console.log('npm run prove -- NAME [--point POINT] [--short]')
  for (const one of proofNames) console.log(`\n${describeProof(one, await loadProof(one), claims)}`)
} else {
  await run(name).catch((error: Error) => {
    console.error(error instanceof RangeError || error instanceof TypeError ? error.message : error)
    process.exit(1)
  })
}

async function run(name: string): Promise<void> {
  const { points, options = {}, missing } = await loadProof(name)
  const { values } = parseArgs({
    args: words,
    options: {
      ...options,
      point: { type: 'string', multiple: true, default: [] },
      short: { type: 'boolean', default: false },
    },
  })
  const { point: named, short } = values
  const chosen = choosePoints(points, { named, short })
  if (chosen.length === 0) {
    throw new RangeError(
      `The points of ${name} give figures only: choose one with --point. There are: ${Object.keys(points).join(', ')}.`,
    )
  }
  const lacks = await missing?.()
  if (lacks !== undefined) {
    console.log(`NOT TRIED: ${lacks}`)
    process.exit(0)
  }
  const startedAt = performance.now()
  const { proof, shown, missed } = startProof({ short, given: values, print: console.log })
  await showPoints(proof, chosen)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  for (const one of missed) console.log(`NOT SHOWN: ${one}`)
  console.log(
    `prove ${name}${short ? ', short' : ''}: ${shown()} points shown, ${missed.length} not shown, in ${seconds} s`,
  )
  // A point that gives figures shows no sentence.
  const isEmpty = shown() === 0 && chosen.some(({ runs }) => runs !== 'named')
  process.exit(missed.length === 0 && !isEmpty ? 0 : 1)
}
