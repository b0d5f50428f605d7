// Every instance is stopped and started in turn, as in an upgrade, under a load that retries nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ontology, Store } from '../../packages/service/test/inside.ts'
import { items, loadItems } from '../../packages/service/test/support/load-items.ts'
import { grantTo, newTokenOf } from '../../packages/service/test/support/test-access.ts'
import { withServedLoad } from '../prove-load/served-load.ts'
import { expect, type Proof } from '../prove.ts'
import { startBalancedInstances, type BalancedInstance } from './balanced-instances.ts'
import { startSteadyLoad } from './steady-load.ts'

const objects = 200

/** Each instance must have served this many pages before it is stopped; otherwise nothing was tested. */
const leastPages = 20

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

/** Returns how many pages each instance had served when it was stopped. */
export async function rollingRestart(
  instances: readonly BalancedInstance[],
  say: Proof['say'],
): Promise<readonly number[]> {
  const served: number[] = []
  for (const instance of instances) {
    served.push(await pagesServedSoon(instance))
    const toldAt = performance.now()
    const code = await instance.stop()
    const endedAt = performance.now()
    expect(code === 0, `an instance that was told to stop ended with ${code}`)
    await instance.start()
    say(`stopped in ${seconds(endedAt - toldAt)}, ready again in ${seconds(performance.now() - endedAt)}`)
  }
  return served
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`

/** The load balancer takes a moment to send requests to an instance that has just started. */
async function pagesServedSoon(instance: BalancedInstance | undefined): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const pages = await instance?.pagesServed()
    if (pages !== undefined && pages >= leastPages) return pages
    await sleep(100)
  }
  return 0
}

export async function tokensOf(
  store: Store,
  { rid }: Ontology,
  { count, called }: { readonly count: number; readonly called: string },
): Promise<readonly string[]> {
  const tokens: string[] = []
  for (let number = 0; number < count; number += 1) {
    const subject = `${called}-${number}`
    await grantTo(store, subject, rid, 'writer')
    tokens.push((await newTokenOf(store, { subject })).token)
  }
  return tokens
}
