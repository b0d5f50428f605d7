// What the client's checks cost: the processor time of a loop over a snapshot walk, compared with a plain loop of fetch and
// JSON.parse over the same pages. The loops take turns, many times, so that other work of the machine affects all alike.
import { createClient } from '@octavo/client'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { withServedCollection } from '../harness/with-store.ts'
import { loadSample } from '../harness/load-sample.ts'
import { sampleDefinition } from '../harness/sample-employees.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { describeOneReader } from './one-reader.ts'

/** What we want. The figure is printed; only a blunder fails, because processors differ and others work on them too. */
const goal = 1.4
const blunder = 2.5

type Loop = (url: string) => Promise<number>

const clientLoop =
  (snapshot = true): Loop =>
  async (url) => {
    const client = createClient({ url, token: testToken })
    let objects = 0
    for await (const object of client.family('proof').objects('employee').all({ snapshot })) {
      if (object.primaryKey !== '') objects += 1
    }
    return objects
  }

const plainLoop: Loop = async (url) => {
  let objects = 0
  let pageToken: string | undefined
  do {
    const response = await fetch(`${url}/api/proof/v1/objects/types/employee/search`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${testToken}`,
        'content-type': 'application/json',
        // As the client does on this machine: unpacking would hide what the checks cost.
        'accept-encoding': 'identity',
      },
      body: JSON.stringify({ query: { type: 'empty' }, pageSize: 1_000, snapshot: true, pageToken }),
    })
    const page = JSON.parse(await response.text()) as {
      readonly data: readonly { readonly primaryKey: string }[]
      readonly nextPageToken?: string
    }
    for (const object of page.data) if (object.primaryKey !== '') objects += 1
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return objects
}

const loops = {
  'plain loop': plainLoop,
  client: clientLoop(),
  'client without checksums': clientLoop(false),
} as const
type Name = keyof typeof loops
const names = Object.keys(loops) as readonly Name[]

export async function proveClientCpu(proof: Proof): Promise<void> {
  const [objects, rounds] = proof.short ? [10_000, 25] : [20_000, 100]
  await withServedCollection(async (served) => {
    const { url, store, ontology } = served
    const type = await store.applyObjectType(ontology, sampleDefinition)
    await loadSample(store, type, { objects, say: proof.say })
    await proof.point(
      `Reading a snapshot with the client takes less than ${blunder} times the processor time of fetch and JSON.parse (the goal is ${goal})`,
      async () => {
        const times = await measureInTurns(url, objects, rounds)
        for (const name of names) proof.say(`${name}: ${times[name].toFixed(2)} us an object`)
        const ratio = times.client / times['plain loop']
        expect(ratio < blunder, `${ratio.toFixed(2)} times the processor time`)
        const verdict = ratio <= goal ? 'within' : 'NOT within'
        return `${ratio.toFixed(2)} times, ${verdict} the goal of ${goal}; medians of ${rounds} rounds of ${objects.toLocaleString('en')} objects`
      },
    )
    await proof.point('One reader, one page after another: what it gets, and what keeps it from more', () =>
      describeOneReader(served, { objects, seconds: proof.short ? 5 : 30 }),
    )
  })
}

/** Microseconds of processor time an object, of all threads of this process. */
async function measureInTurns(
  url: string,
  objects: number,
  rounds: number,
): Promise<Readonly<Record<Name, number>>> {
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  // The first rounds only warm up.
  for (let round = -2; round < rounds; round += 1) {
    // Each loop leaves garbage to the one after it, so each round begins with another one.
    const first = (round + names.length) % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const before = process.cpuUsage()
      const read = await loops[name](url)
      const { user, system } = process.cpuUsage(before)
      expect(read === objects, `${name} read ${read} objects`)
      if (round >= 0) times[name].push((user + system) / objects)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
