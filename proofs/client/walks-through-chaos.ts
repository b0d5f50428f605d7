import { isDeepStrictEqual } from 'node:util'
import { createClient, OctavoError, type Walk } from '@octavo/client'
import { loadItems } from '../../packages/service/test/support/load-items.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { forEachNumber } from '../harness/keep-alive-client.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { startChaosProxy } from './chaos-proxy.ts'
import { randomFrom, type Random } from '../harness/random.ts'
import { readAll } from '../harness/read-all.ts'
import { withServedCollection } from '../harness/with-store.ts'

const objects = 237
const atOnce = 16
/** The share of answers that have a fault. */
const share = 0.3

export async function proveWalksThroughChaos(
  proof: Proof,
  walks = proof.short ? 500 : 20_000,
): Promise<void> {
  await proof.point(
    `${walks.toLocaleString('en')} walks through a proxy that cuts, delays, duplicates, corrupts and reorders: each is exact or ends with an error`,
    () =>
      withServedCollection(async ({ url, store, ontology }) => {
        await loadItems(store, ontology, objects, 'item')
        const seed = Date.now() % 1_000_000
        proof.say(`seed ${seed}`)
        const proxy = await startChaosProxy(url, { random: randomFrom(seed), share })
        try {
          const straight = await expected(url, ontology.rid)
          const tally = { exact: 0, wrong: 0, errors: new Map<string, number>() }
          await forEachNumber(walks, atOnce, async (number) => {
            const random = randomFrom(seed + number)
            const { walk, revision } = randomWalk(proxy.url, ontology.rid, random)
            try {
              const read = await readAll(walk)
              if (isDeepStrictEqual(read, straight[revision])) tally.exact += 1
              else tally.wrong += 1
            } catch (error) {
              if (!(error instanceof OctavoError)) throw error
              tally.errors.set(error.errorName, (tally.errors.get(error.errorName) ?? 0) + 1)
            }
            if ((number + 1) % 5_000 === 0) proof.say(`${(number + 1).toLocaleString('en')} walks`)
          })
          proof.say(`faults: ${counted(proxy.faults)}`)
          proof.say(`walks that ended with an error: ${counted(tally.errors)}`)
          expect(tally.wrong === 0, `${tally.wrong} walks ended without an error and were not exact`)
          const failed = walks - tally.exact
          expect(tally.exact > 0 && failed > 0, 'the proxy did nothing, or everything')
          return `${tally.exact} exact, ${failed} with an error, 0 silent losses, ${total(proxy.faults)} faults`
        } finally {
          await proxy.close()
        }
      }),
  )
}

type Straight = Readonly<Record<'list' | 'search', readonly unknown[]>>

async function expected(url: string, rid: string): Promise<Straight> {
  const client = createClient({ url, token: testToken })
  const list = await readAll(client.ontology(rid).objects('item').all())
  const search = await readAll(client.family('proof').objects('item').all())
  expect(list.length === objects && search.length === objects, 'the collection is not whole')
  return { list, search }
}

function randomWalk(url: string, rid: string, random: Random) {
  const client = createClient({
    url,
    token: () => testToken,
    backoffMilliseconds: 2,
    timeoutSeconds: 0.5,
    compression: (['gzip', 'zstd', 'none'] as const)[random.below(3)] ?? 'none',
    // Some clients give up soon, so that errors occur as well.
    retries: random.below(5),
  })
  const options = {
    snapshot: random.next() < 0.5,
    pageSize: 5 + random.below(100),
    readAhead: random.below(3),
  }
  const revision = random.next() < 0.5 ? 'list' : 'search'
  const walk: Walk<unknown> =
    revision === 'list'
      ? client.ontology(rid).objects('item').all(options)
      : client.family('proof').objects('item').all(options)
  return { walk, revision } as const
}

const counted = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)
