// No caller reads what a policy hides: random policies, callers and requests, compared with a plain search in memory.
import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import {
  emptyPolicyTally,
  runPolicies,
  type PolicyTally,
} from '../../packages/service/test/support/policy-oracle/run-policies.ts'
import { serveClaims } from '../../packages/service/test/support/policy-oracle/serve-claims.ts'
import { expect, type Proof } from '../harness/prove.ts'

const counted = Object.keys(emptyPolicyTally()) as readonly (keyof PolicyTally)[]

/** Less than this proves nothing. */
const least = {
  long: { walks: 5_000, telling: 1_200, closed: 1_000, totals: 1_000, oneByOne: 500, commits: 1_000 },
  short: { walks: 250, telling: 60, closed: 50, totals: 50, oneByOne: 30, commits: 25 },
} as const

export async function provePolicies(proof: Proof): Promise<void> {
  await proof.point(
    'Generated callers find nothing that generated policies hide, in data, totals, tokens or single reads',
    () => showPolicies(proof),
  )
}

async function showPolicies(proof: Proof): Promise<string> {
  const cluster = await startCluster()
  try {
    await migrateDatabase(cluster.url, () => {})
    const store = openTestStore({ databaseUrl: cluster.url })
    const service = await serveClaims(store)
    const sums = emptyPolicyTally()
    try {
      const apiFamily = 'guarded'
      const ontology = await store.applyOntology({
        apiName: 'guarded',
        displayName: 'Guarded',
        apiFamilies: [apiFamily],
      })
      for (const seed of proof.short ? [11] : [11, 12, 13, 14, 15]) {
        const tally = await runPolicies({
          store,
          service,
          ontology,
          apiFamily,
          seed,
          types: proof.short ? 8 : 20,
          policiesPerType: proof.short ? 8 : 10,
          callersPerPolicy: 5,
        })
        proof.say(`seed ${seed}: ${counted.map((name) => `${tally[name]} ${name}`).join(', ')}`)
        for (const name of counted) sums[name] += tally[name]
      }
    } finally {
      await service.close()
      await store.database.close()
    }
    const minimum = proof.short ? least.short : least.long
    for (const [name, number] of Object.entries(minimum)) {
      const got = sums[name as keyof typeof minimum]
      expect(got >= number, `too little was tried: ${got} ${name}, not ${number}`)
    }
    return `${sums.walks} walks of ${sums.pages} pages and ${sums.singleReads} single reads, 0 different`
  } finally {
    await cluster.stop()
  }
}
