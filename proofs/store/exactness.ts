// Every complete walk of a snapshot equals the model at its version, under writers and pruning.
import { withCluster } from '../harness/with-store.ts'
import { describeTally } from '../../packages/service/test/support/store-model/describe-tally.ts'
import { runLoad, type LoadTally } from '../../packages/service/test/support/store-model/run-load.ts'
import { commitBySequence } from '../../packages/service/test/support/store-model/sequence-versions.ts'
import { expect, type Proof } from '../harness/prove.ts'

const counted = ['walks', 'objects', 'commits', 'gone', 'oneByOne', 'prunedRows'] as const

/** Less than this proves nothing. */
const least = {
  long: { walks: 10_000, objects: 2_000_000, commits: 5_000, gone: 100, oneByOne: 500, prunedRows: 20_000 },
  short: { walks: 1_000, objects: 150_000, commits: 500, gone: 5, oneByOne: 40, prunedRows: 2_000 },
} as const

/** Small types for many walks, large ones for many pages, with their share of the walks. */
const loads = [
  { keys: 20, share: 0.2 },
  { keys: 100, share: 0.25 },
  { keys: 500, share: 0.3 },
  { keys: 1_000, share: 0.15 },
  { keys: 2_000, share: 0.1 },
] as const

export async function proveExactness(proof: Proof): Promise<void> {
  await withCluster({}, async (cluster) => {
    await proof.point('Every complete walk of a snapshot equals the model at its version', () =>
      showWalks(proof, cluster.url),
    )
    await proof.point('The same checks find torn snapshots when versions come from a sequence', () =>
      showMutant(cluster.url),
    )
  })
}

async function showWalks(proof: Proof, databaseUrl: string): Promise<string> {
  const minimum = proof.short ? least.short : least.long
  const seeds = proof.short ? [1] : [1, 2]
  const sums = { walks: 0, objects: 0, commits: 0, gone: 0, oneByOne: 0, prunedRows: 0 }
  for (const seed of seeds) {
    for (const { keys, share } of loads) {
      const walks = Math.ceil((minimum.walks * share) / seeds.length)
      const tally = await runLoad({ databaseUrl, seed, keys, walks, mostSeconds: 600 })
      proof.say(`${keys} keys, ${describeTally(seed, tally)}`)
      expect(tally.differences.length === 0, `seed ${seed}, ${keys} keys: ${tally.differences[0]?.detail}`)
      for (const name of counted) sums[name] += tally[name]
    }
  }
  for (const name of counted) {
    expect(sums[name] >= minimum[name], `the load was too small: ${sums[name]} ${name}, not ${minimum[name]}`)
  }
  const figures = counted.map((name) => `${sums[name].toLocaleString('en')} ${name}`)
  return `${figures.join(', ')}, 0 different`
}

async function showMutant(databaseUrl: string): Promise<string> {
  const options = { databaseUrl, keys: 400, mostSeconds: 120, pauseMilliseconds: 0 }
  const torn = await runLoad({ ...options, seed: 3, walks: 5_000, until: isTorn, mutant: commitBySequence })
  expect(isTorn(torn), `no torn walk among ${torn.walks}`)
  const whole = await runLoad({ ...options, seed: 4, walks: 200, mutant: async (store) => store })
  expect(whole.differences.length === 0, `without the sequence: ${whole.differences[0]?.detail}`)
  return `torn after ${torn.walks} walks by a sequence, ${whole.walks} walks whole by the clock row`
}

/** Without a lock the live count is soon wrong; this looks for a walk with wrong objects. */
const isTorn = (tally: LoadTally) => tally.differences.some(({ kind }) => kind === 'objects')
