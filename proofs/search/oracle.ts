// Generated queries against a plain search in memory: thousands here, hundreds in the tests.
import { emptyTally, runQueries } from '../../packages/service/test/support/query-oracle/run-queries.ts'
import type { Random } from '../../packages/service/test/support/store-model/seeded-random.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { withStore } from '../harness/with-store.ts'

/** Seeds that no test uses; each runs a share of the queries. */
const runs = {
  long: [
    { seeds: [101, 102, 103, 104, 105, 106, 107, 108], types: 50, queriesPerType: 50, objects: few },
    { seeds: [201], types: 5, queriesPerType: 40, objects: () => 3_000 },
  ],
  short: [
    { seeds: [301], types: 16, queriesPerType: 25, objects: few },
    { seeds: [302], types: 1, queriesPerType: 10, objects: () => 2_000 },
  ],
} as const

function few(random: Random): number {
  return random.integer(20, 150)
}

export async function proveOracle(proof: Proof): Promise<void> {
  await withStore({}, ({ store, ontology }) =>
    proof.point('Every query finds what a plain search in memory finds, in its order', async () => {
      const sum = emptyTally()
      for (const { seeds, ...run } of proof.short ? runs.short : runs.long) {
        for (const seed of seeds) {
          const tally = await runQueries({ store, ontology, seed, ...run })
          for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += tally[name]
          proof.say(
            `seed ${seed}: ${sum.queries.toLocaleString('en')} queries so far, ${sum.pages.toLocaleString('en')} pages`,
          )
        }
      }
      const least = proof.short ? 400 : 20_000
      expect(sum.queries >= least, `only ${sum.queries} queries`)
      expect(sum.telling > sum.queries * 0.4, `only ${sum.telling} queries had some but not all objects`)
      const figures = Object.entries(sum).map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
      return `${figures.join(', ')}, 0 different`
    }),
  )
}
