// Walks of the client through a proxy that changes one object or one byte inside valid pages: only the checksum can notice.
import { createClient, OctavoError } from '@octavo/client'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { putItems } from '../../packages/service/test/support/load-items.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { randomFrom } from '../harness/random.ts'
import { readAll } from '../harness/read-all.ts'
import { withServedCollection } from '../harness/with-store.ts'
import { forEachNumber } from '../harness/keep-alive-client.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { faultNames, spoiltFetch, type FaultName } from './spoilt-pages.ts'

const objects = 60
const atOnce = 16

export async function proveChecksums(proof: Proof): Promise<void> {
  const walks = proof.short ? 300 : 10_000
  const seed = Date.now() % 1_000_000
  await withServedCollection(async ({ url, store, ontology }) => {
    const type = await store.applyObjectType(ontology, thingDefinition)
    await putItems(
      store,
      type,
      Array.from({ length: objects }, (_, i) => thing(i)),
    )
    await proof.point(
      `Of ${walks.toLocaleString('en')} walks, the client notices every fault inside a valid page, and none where there is none`,
      async () => {
        proof.say(`seed ${seed}`)
        const tally = await walkThroughFaults(url, { walks, seed, keepsChecksum: true })
        for (const name of faultNames) proof.say(`${name}: noticed ${tally.noticed[name]} times`)
        const [unnoticed, noticed] = [sumOf(tally.unnoticed), sumOf(tally.noticed)]
        expect(unnoticed === 0, `${unnoticed} faults went unnoticed: ${JSON.stringify(tally.unnoticed)}`)
        expect(tally.alarms === 0, `${tally.alarms} walks without a fault ended with an error`)
        expect(
          tally.clean > walks / 10 && faultNames.every((name) => tally.noticed[name] > 0),
          'a kind of walk is missing',
        )
        return `${noticed} faults, all noticed by the checksum; ${tally.clean} walks without a fault, all complete`
      },
    )
    await proof.point('Without the checksum, the same faults go unnoticed', async () => {
      const tally = await walkThroughFaults(url, { walks: walks / 10, seed, keepsChecksum: false })
      const [unnoticed, noticed] = [sumOf(tally.unnoticed), sumOf(tally.noticed)]
      expect(noticed === 0 && unnoticed > 0, `${noticed} faults were noticed by something else`)
      return `0 of ${unnoticed} noticed`
    })
  })
}

type Counts = Record<FaultName, number>

async function walkThroughFaults(
  url: string,
  {
    walks,
    seed,
    keepsChecksum,
  }: { readonly walks: number; readonly seed: number; readonly keepsChecksum: boolean },
) {
  const none = () => Object.fromEntries(faultNames.map((name) => [name, 0])) as Counts
  const tally = { noticed: none(), unnoticed: none(), clean: 0, alarms: 0 }
  await forEachNumber(walks, atOnce, async (number) => {
    const random = randomFrom(seed + number)
    const fault = random.next() < 0.2 ? undefined : faultNames[random.below(faultNames.length)]
    // No page of these sizes has a single object: without it, the page would be empty, which is noticed anyway.
    const pageSize = 7 + random.below(19)
    const page = random.below(Math.ceil(objects / pageSize))
    const client = createClient({
      url,
      token: testToken,
      fetch: spoiltFetch({ random, fault, page, keepsChecksum }),
    })
    const walk = client
      .family('proof')
      .objects('thing')
      .all({ snapshot: true, pageSize, readAhead: random.below(3) })
    const isNoticed = await isRefused(walk)
    if (fault !== undefined) tally[isNoticed ? 'noticed' : 'unnoticed'][fault] += 1
    else if (isNoticed) tally.alarms += 1
    else tally.clean += 1
  })
  return tally
}

/** Whether the walk ends with the error that names two checksums; any other is not what is shown here. */
async function isRefused(walk: AsyncIterable<unknown>): Promise<boolean> {
  try {
    const read = await readAll(walk)
    expect(Math.abs(read.length - objects) <= 1, `a walk of ${read.length} objects`)
    return false
  } catch (error) {
    const isOurs = error instanceof OctavoError && error.errorName === 'IncompleteWalk'
    if (isOurs && error.parameters.checksum !== undefined) return true
    throw error
  }
}

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Every type of value. */
const thingDefinition: ObjectTypeDefinition = {
  apiName: 'thing',
  displayName: 'Thing',
  primaryKey: 'id',
  titleProperty: 'text',
  properties: {
    id: { type: 'string' },
    text: { type: 'string' },
    boolean: { type: 'boolean' },
    integer: { type: 'integer' },
    long: { type: 'long' },
    double: { type: 'double' },
    decimal: { type: 'decimal' },
    date: { type: 'date' },
    timestamp: { type: 'timestamp' },
    texts: { type: { array: 'string' } },
    place: { type: { struct: { city: { type: 'string' }, floor: { type: 'integer' } } } },
    names: { type: { array: { struct: { firstName: { type: 'string' }, lastName: { type: 'string' } } } } },
  },
}

const thing = (number: number) => ({
  id: `thing-${String(number).padStart(3, '0')}`,
  text: `The ${number}th "thing" \\ ü 😀`,
  boolean: number % 2 === 0,
  integer: number * 7919,
  long: String(9_007_199_254_740_993n + BigInt(number)),
  double: number / 7,
  decimal: `${number}.50`,
  date: `2026-05-${String(1 + (number % 28)).padStart(2, '0')}`,
  timestamp: `2026-05-01T12:00:00.${String(number).padStart(6, '0')}Z`,
  // Some objects lack values.
  ...(number % 5 !== 0 && { texts: [`t${number}`, 'ß'], place: { city: `City ${number}`, floor: number } }),
  names: [{ firstName: 'Ada', lastName: `L${number}` }],
})
