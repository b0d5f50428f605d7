// Walks that pause until their state is gone continue in a later one, and end with exactly the objects of one state, none read twice.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createClient,
  hashOfObject,
  sumOfChecksums,
  type AnyObjectType,
  type Change,
  type Client,
  type FoundObject,
  type StreamOptions,
} from '@octavo/client'
import { itemDefinition } from '../../packages/service/test/support/load-items.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { randomFrom, type Random } from '../harness/random.ts'
import { withServedCollection } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { startWriters } from './busy-writers.ts'
import { apiFamily } from '../harness/known-states.ts'

const objectType = 'item'
/** Long enough to read some pages in, on a busy machine. */
const retentionSeconds = 5
/** Long enough that no state from before it can be read. */
const pauseMs = 7_000
const atOnce = 30

export async function proveContinuedWalks(proof: Proof): Promise<void> {
  const wanted = proof.short ? 25 : 500
  await withServedCollection(async ({ store, ontology, url }) => {
    await store.applyObjectType(ontology, itemDefinition(objectType))
    const seed = Date.now() % 1_000_000
    proof.say(`seed ${seed}`)
    const random = randomFrom(seed)
    const client = createClient({ url, token: testToken })
    const writers = startWriters({
      store,
      ontology,
      objectType,
      random,
      writers: 4,
      pauseMs: 200,
      retentionSeconds,
    })
    try {
      // The collection is empty at first.
      await sleep(1_000)
      await proof.point(
        `${wanted} walks that pause past the retention continue and end with one state, nothing read twice`,
        () => showWalks({ client, random }, wanted),
      )
      await proof.point('A walk that continues without the changes is caught', async () => {
        const walks = await Promise.all(
          Array.from({ length: 10 }, () => walkOnce({ client, random }, { takesChanges: false })),
        )
        const continued = walks.filter(({ continuations }) => continuations > 0)
        const wrong = continued.filter(({ isRight }) => !isRight).length
        expect(wrong > 0, `not noticed in ${continued.length} walks`)
        return `${wrong} of ${continued.length} such walks`
      })
    } finally {
      await writers.stop()
    }
  })
}

interface Reader {
  readonly client: Client
  readonly random: Random
}

interface Walked {
  readonly isRight: boolean
  readonly continuations: number
  readonly objects: number
  readonly changes: number
  readonly why: string
}

async function showWalks(reader: Reader, wanted: number): Promise<string> {
  const done: Walked[] = []
  const read = async (): Promise<void> => {
    while (done.length < wanted) {
      const walked = await walkOnce(reader, { takesChanges: true })
      expect(walked.isRight, `walk ${done.length + 1}: ${walked.why}`)
      // A walk that was never refused shows nothing here.
      if (walked.continuations > 0) done.push(walked)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, read))
  const sum = (of: (walked: Walked) => number) =>
    done.reduce((total, walked) => total + of(walked), 0).toLocaleString('en')
  return `${done.length} of ${done.length}: ${sum((w) => w.objects)} objects, gone ${sum((w) => w.continuations)} times, ${sum((w) => w.changes)} changes reported`
}

/** A walk with one pause or two, and what has come of it compared with what its last page says. */
async function walkOnce(
  { client, random }: Reader,
  { takesChanges }: { readonly takesChanges: boolean },
): Promise<Walked> {
  const copy = new Map<string, FoundObject>()
  let [changes, objects, pages, twice] = [0, 0, 0, '']
  const options: StreamOptions<AnyObjectType, string> = {
    onSnapshotGone: 'continue',
    pageSize: 5 + random.below(40),
    readAhead: random.below(2),
    // All of them, or none: the state that they lead to may be gone before the last one.
    onContinue: async (difference) => {
      const all: Change<FoundObject>[] = []
      for await (const change of difference) all.push(change)
      changes += all.length
      for (const change of takesChanges ? all : []) {
        if (change.type === 'put') copy.set(change.primaryKey, change.object)
        else if (!copy.delete(change.primaryKey)) twice ||= `${change.primaryKey} was not there`
      }
    },
  }
  const collection = client.family(apiFamily).objects(objectType)
  const walk =
    random.next() < 0.3 ? collection.stream(options) : collection.all({ ...options, snapshot: true })
  const pauses = new Set([1 + random.below(3), 4 + random.below(4)].slice(random.below(2)))
  let last: { readonly totalCount?: string; readonly checksum?: string } = {}
  for await (const page of walk.pages()) {
    last = page
    pages += 1
    for (const object of page.data) {
      if (copy.has(object.primaryKey)) twice ||= `${object.primaryKey} was read twice`
      copy.set(object.primaryKey, object)
      objects += 1
    }
    if (pauses.has(pages)) await sleep(pauseMs)
  }
  const checksum = sumOfChecksums([...copy.values()].map(hashOfObject))
  const why =
    twice ||
    (last.totalCount === String(copy.size) ? '' : `${copy.size} objects, not ${last.totalCount}`) ||
    (last.checksum === checksum ? '' : `the checksum is ${checksum}, not ${last.checksum}`)
  return { isRight: why === '', why, continuations: walk.continuations, objects, changes }
}
