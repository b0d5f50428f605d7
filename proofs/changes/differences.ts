// Differences between states that a reader has seen at random moments, while writers change the collection: each makes the earlier
// state exactly the later one. Readers with a fault that is known from other systems must be caught by the same judgement.
import type { ChangesPage } from '@octavo/protocol'
import { readState, type State } from '../../packages/service/test/support/changes-over-http.ts'
import { itemDefinition } from '../../packages/service/test/support/load-items.ts'
import { randomFrom, type Random } from '../harness/random.ts'
import { withServedCollection, type ServedCollection } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { startWriters } from './busy-writers.ts'
import { faultyReaders } from './faulty-readers.ts'
import {
  apiFamily,
  askedOf,
  judge,
  readDifference,
  type Reader,
  type ReadDifference,
} from '../harness/known-states.ts'

/** A state is forgotten when so many newer ones are known: differences span many commits and few. */
const mostStates = 40

const objectType = 'item'

export async function proveDifferences(proof: Proof): Promise<void> {
  const differences = proof.short ? 120 : 5_000
  await withServedCollection(async (served) => {
    await served.store.applyObjectType(served.ontology, itemDefinition(objectType))
    await proof.point(
      `${differences} differences between states under 8 writers: each makes the earlier state exactly the later one`,
      () => showDifferences(proof, served, differences),
    )
    for (const [fault, read] of Object.entries(faultyReaders(served, objectType))) {
      await proof.point(`A reader is caught that has this fault: ${fault}`, () =>
        catchFault(served, read, proof.short ? 60 : 300),
      )
    }
  })
}

const withWriters = async <Result>(
  { store, ontology }: ServedCollection,
  random: Random,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly commits: number }> => {
  const writers = startWriters({
    store,
    ontology,
    objectType,
    random,
    writers: 8,
    pauseMs: 40,
    retentionSeconds: 60,
  })
  try {
    return { result: await work(), commits: writers.commits() }
  } finally {
    await writers.stop()
  }
}

interface Tally {
  changes: number
  pages: number
  commitsBetween: number
}

async function showDifferences(proof: Proof, served: ServedCollection, wanted: number): Promise<string> {
  const seed = Date.now() % 1_000_000
  proof.say(`seed ${seed}`)
  const tally: Tally = { changes: 0, pages: 0, commitsBetween: 0 }
  const { commits } = await withWriters(served, randomFrom(seed), async () => {
    let done = 0
    const read = async (number: number): Promise<void> => {
      const reader = readerOf(served, randomFrom(seed + number))
      const states = [await latest(reader)]
      while (done < wanted) {
        done += 1
        const earlier = states[reader.random.below(states.length)] ?? states[0]
        expect(earlier !== undefined, 'no state')
        const reading = await readDifference(reader, earlier)
        const later = await judge(reader, earlier, reading)
        if (typeof later === 'string') throw new Error(`difference ${done} from ${earlier.version}: ${later}`)
        count(tally, reading.pages)
        states.push(later)
        if (states.length > mostStates) states.splice(reader.random.below(2), 1)
        if (done % 1_000 === 0) proof.say(`${done.toLocaleString('en')} differences`)
      }
    }
    await Promise.all([1, 2, 3].map(read))
  })
  const number = (value: number) => value.toLocaleString('en')
  return `${number(tally.changes)} changes on ${number(tally.pages)} pages, ${number(tally.commitsBetween)} versions between the states, ${number(commits)} commits meanwhile, 0 different`
}

function count(tally: Tally, pages: readonly ChangesPage[]): void {
  tally.pages += pages.length
  for (const { data } of pages) tally.changes += data.length
  const { fromVersion, toVersion } = pages[0] ?? {}
  tally.commitsBetween += Number(toVersion) - Number(fromVersion)
}

const readerOf = ({ url }: ServedCollection, random: Random): Reader => ({
  service: askedOf(url),
  objectType,
  random,
})

const latest = ({ service }: Reader): Promise<State> =>
  readState(service, { objectType, apiFamily, asks: {} })

/** The fault need not show each time, but it must show. */
async function catchFault(served: ServedCollection, faulty: ReadDifference, tries: number): Promise<string> {
  const { result } = await withWriters(served, randomFrom(5), async () => {
    const reader = readerOf(served, randomFrom(6))
    let state = await latest(reader)
    for (let i = 1; i <= tries; i += 1) {
      const judged = await judge(reader, state, await faulty(reader, state))
      if (typeof judged === 'string') return `at difference ${i}: ${judged}`
      state = judged
    }
    return undefined
  })
  expect(result !== undefined, `not noticed in ${tries} differences`)
  return result
}
