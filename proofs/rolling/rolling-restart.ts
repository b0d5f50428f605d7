// Every instance is stopped and started in turn, as in an upgrade, under a load that retries nothing.
import { items, loadItems } from '../../packages/service/test/support/load-items.ts'
import { withServedLoad } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import {
  leastPages,
  pagesServedSoon,
  rollingRestart,
  startBalancedInstances,
} from '../harness/balanced-instances.ts'
import { tokensOf } from '../harness/tokens-of.ts'
import { startSteadyLoad } from './steady-load.ts'

const objects = 200

export async function proveRollingRestart(proof: Proof): Promise<void> {
  const rounds = proof.short ? 1 : 10
  // HAProxy notices within about a second; the files in deploy/ have 5.
  const stopDelaySeconds = proof.short ? 3 : 5
  await proof.point('Three instances are restarted in turn under load, and no request fails', () =>
    withServedLoad(async ({ databaseUrl, store, ontology }) => {
      const walked = await loadItems(store, ontology, objects, 'walked')
      const written = await loadItems(store, ontology, 0, 'written')
      const instances = await startBalancedInstances(databaseUrl, stopDelaySeconds)
      try {
        const endLoad = startSteadyLoad({
          url: instances.url,
          walked: walked.collection,
          walkedKeys: items(objects).map(({ id }) => id),
          written: written.collection,
          walkers: await tokensOf(store, ontology, { count: 12, called: 'walker' }),
          writers: await tokensOf(store, ontology, { count: 2, called: 'writer' }),
        })
        const served: number[] = []
        for (let round = 0; round < rounds; round += 1) {
          served.push(...(await rollingRestart(instances.each, proof.say)))
        }
        // The instance that was started last serves as well.
        served.push(await pagesServedSoon(instances.each.at(-1)))
        const { failures, answered, walks, commits } = await endLoad()
        const stored = await store.database.rows({
          text: `select count(*) as stored from ${written.type.tables.current}`,
          values: [],
        })
        expect(
          failures.length === 0,
          `${failures.length} requests failed: ${failures.slice(0, 5).join('; ')}`,
        )
        expect(
          Number(stored[0]?.['stored']) === commits,
          `${commits} commits acknowledged, not all are stored`,
        )
        const least = Math.min(...served)
        expect(least >= leastPages, `an instance served few pages: ${served.join(', ')}`)
        expect(walks > rounds * 3, `only ${walks} walks ended`)
        return `${rounds * instances.each.length} restarts, ${answered} requests answered (${walks} walks, ${commits} commits), 0 failed; each start served at least ${least} pages`
      } finally {
        await instances.stop()
      }
    }),
  )
}
