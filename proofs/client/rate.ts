// What the client costs compared with the least that any reader does: a loop of `fetch` that follows the page tokens and
// discards the bodies. Rounds alternate, so that other work of the machine affects both.
import { createClient } from '@octavo/client'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { loadSample } from '../harness/load-sample.ts'
import { sampleDefinition } from '../harness/sample-employees.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { withServedCollection } from '../harness/with-store.ts'

export async function proveRate(proof: Proof): Promise<void> {
  const objects = proof.short ? 100_000 : 1_000_000
  // The speed of several processes on few cores depends on the machine: the short form only detects a blunder.
  const leastShare = proof.short ? 0.5 : 0.8
  await proof.point(
    `Reading ${objects.toLocaleString('en')} objects with the client is at least ${leastShare} times as fast as a bare fetch loop`,
    () =>
      withServedCollection(async ({ url, store, ontology }) => {
        const type = await store.applyObjectType(ontology, sampleDefinition)
        await loadSample(store, type, { objects, say: proof.say })
        const bare: number[] = []
        const client: number[] = []
        const rounds = proof.short ? 3 : 5
        await bareLoop(url)
        for (let round = 1; round <= rounds; round += 1) {
          client.push(objects / (await secondsOf(() => clientLoop(url, objects))))
          bare.push(objects / (await secondsOf(() => bareLoop(url))))
          proof.say(`round ${round}: client ${perSecond(client.at(-1))}, bare loop ${perSecond(bare.at(-1))}`)
        }
        // Of each round: its two loops met the same machine.
        const share = median(client.map((rate, i) => rate / (bare[i] ?? rate)))
        expect(share >= leastShare, `only ${share.toFixed(2)} times as fast`)
        return `${share.toFixed(2)} times in the median round: client ${perSecond(median(client))}, bare loop ${perSecond(median(bare))}, medians of ${rounds} rounds`
      }),
  )
}

async function clientLoop(url: string, objects: number): Promise<void> {
  const client = createClient({ url, token: testToken })
  let count = 0
  for await (const object of client.family('proof').objects('employee').all({ snapshot: true })) {
    if (object.primaryKey !== '') count += 1
  }
  expect(count === objects, `the client read ${count} objects`)
}

async function bareLoop(url: string): Promise<void> {
  let pageToken: string | undefined
  do {
    const response = await fetch(`${url}/api/proof/v1/objects/types/employee/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: { type: 'empty' }, pageSize: 1_000, snapshot: true, pageToken }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    // Only the end of the body is read.
    pageToken = /"nextPageToken":"([^"]+)"/.exec(
      bytes.toString('latin1', Math.max(0, bytes.length - 9_000)),
    )?.[1]
  } while (pageToken !== undefined)
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

const perSecond = (rate: number | undefined): string =>
  `${Math.round(rate ?? 0).toLocaleString('en')} objects/s`
