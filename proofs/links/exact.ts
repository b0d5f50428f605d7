// Generated linked types, queries, callers and writers against the model in memory: thousands here, a few in the tests.
import { serveClaims } from '../../packages/service/test/support/policy-oracle/serve-claims.ts'
import { emptyLinkTally, runLinks } from '../../packages/service/test/support/link-oracle/run-links.ts'
import { withStore } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'

/** Keys are looked up first, or each object is checked. */
const ways = [
  { mostLinkedKeys: 1_000, seed: 101 },
  { mostLinkedKeys: 2, seed: 102 },
] as const

export async function proveLinksExact(proof: Proof): Promise<void> {
  const sets = proof.short ? 20 : 1_500
  for (const { mostLinkedKeys, seed } of ways) {
    await withStore({ sources: { mostLinkedKeys } }, async ({ store, ontology }) => {
      const service = await serveClaims(store)
      const looked = mostLinkedKeys > 100 ? 'looked up first' : 'checked object by object'
      try {
        await proof.point(`What links lead to is what the model says, with keys ${looked}`, async () => {
          const tally = emptyLinkTally()
          const options = { store, service, ontology, apiFamily: 'proof', queriesPerSet: 6 }
          for (let from = 0; from < sets; from += 20) {
            await runLinks({ ...options, seed: seed + from * 1_000, sets: 20 }, tally)
            if (from % 200 === 180) proof.say(`${tally.sets} sets of types, ${tally.queries} queries so far`)
          }
          expect(tally.telling > tally.queries * 0.2, `only ${tally.telling} queries told something`)
          const figures = Object.entries(tally).map(
            ([name, count]) => `${count.toLocaleString('en')} ${name}`,
          )
          return `${figures.join(', ')}, 0 different`
        })
      } finally {
        await service.close()
      }
    })
  }
}
