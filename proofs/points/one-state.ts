// A snapshot token of several types names one state of all of them, whatever is written, restarted and rotated meanwhile.
import { isDeepStrictEqual } from 'node:util'
import { grantTo, newTokenOf } from '../../packages/service/test/support/test-access.ts'
import { randomFrom, type Random } from '../harness/random.ts'
import { withStore } from '../harness/with-store.ts'
import { forEachNumber } from '../harness/keep-alive-client.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { judgeState, judgeVersions } from './judge-state.ts'
import { stockDefinition, stores, StockWriter } from './moving-stock.ts'
import {
  callerBy,
  clientOf,
  contradictions,
  readState,
  type Readers,
  type State,
  type Tokens,
} from './read-state.ts'
import { startTwoInstances } from './two-instances.ts'

const writerNames = ['ada', 'grace', 'edsger']
const atOnce = 12

interface Scene {
  readonly readers: Readers
  readonly writers: readonly StockWriter[]
  readonly random: Random
}

export async function proveOneState(proof: Proof): Promise<void> {
  const readers = proof.short ? 150 : 2_000
  await withScene(proof, async (scene) => {
    await proof.point(
      `${readers.toLocaleString('en')} readers of four types, on two instances, through a restart and a rotation of keys, each see one state`,
      () => showOneState(proof, scene, readers),
    )
    await proof.point('The same checks find torn states when the types are captured one after another', () =>
      showMutant(scene),
    )
  })
}

/** Writers write until the work is done. */
const withScene = (proof: Proof, work: (scene: Scene) => Promise<void>): Promise<void> =>
  withStore({}, async ({ cluster, store, ontology }) => {
    const seed = Date.now() % 1_000_000
    proof.say(`seed ${seed}`)
    const random = randomFrom(seed)
    for (const name of stores) await store.applyObjectType(ontology, stockDefinition(name))
    const callers: string[] = []
    for (const subject of ['reader-1', 'reader-2', 'reader-3']) {
      await grantTo(store, subject, ontology.rid, 'reader')
      callers.push((await newTokenOf(store, { subject })).token)
    }
    const instances = await startTwoInstances(cluster.url, random)
    try {
      const { url, fetch } = instances
      const target = { url, fetch, ontologyRid: ontology.rid, unanswered: () => {} }
      const writers = writerNames.map((name, i) => new StockWriter(name, randomFrom(seed + i)))
      const stop = new AbortController()
      const written = writers.map((writer) => writer.write(target, stop.signal))
      // A writer that fails ends the proof at once.
      const writing = Promise.all(written)
      try {
        await Promise.race([writing, Promise.all(writers.map((writer) => writer.begun))])
        const readers = { instances, ontologyRid: ontology.rid, callers }
        await Promise.race([writing, work({ readers, writers, random })])
      } finally {
        stop.abort()
        await Promise.allSettled(written)
      }
    } finally {
      await instances.stop()
    }
  })

interface Reading {
  readonly tokens: Tokens
  readonly state: State
  readonly last: readonly number[]
}

async function showOneState(proof: Proof, scene: Scene, least: number): Promise<string> {
  const { readers, writers, random } = scene
  const readings: Reading[] = []
  const problems: string[] = []
  const seen = { again: 0, beforeRestarts: 0, afterRestarts: Number.POSITIVE_INFINITY }
  const read = async () => {
    // Some read a state that another caller captured and read before, perhaps sealed with the key before.
    const earlier = random.next() < 0.3 ? readings[random.below(readings.length)] : undefined
    const tokens = earlier?.tokens ?? (await oneToken(readers, random))
    const state = await readState(readers, tokens, random)
    const { torn, last } = judgeState(writers, state)
    problems.push(...torn, ...(await contradictions(readers, { state, tokens, random })))
    if (earlier !== undefined) {
      seen.again += 1
      if (!isDeepStrictEqual(earlier.state.stock, state.stock)) problems.push('a state has changed')
    }
    readings.push({ tokens, state, last })
  }
  const readAtOnce = (isEnough: () => boolean) =>
    forEachNumber(atOnce, atOnce, async () => {
      while (!isEnough()) await read()
    })

  await readAtOnce(() => readings.length >= least / 4)
  seen.beforeRestarts = readings.length
  const restarting = readers.instances
    .restartOne()
    .then(() => readers.instances.rotateKeys())
    .finally(() => (seen.afterRestarts = readings.length))
  await Promise.all([
    restarting,
    readAtOnce(() => readings.length >= Math.max(least, seen.afterRestarts + 12)),
  ])
  proof.say(`${seen.afterRestarts - seen.beforeRestarts} readers were done during the restarts`)

  for (const { state, last } of readings) problems.push(...judgeVersions(writers, state, last))
  expect(problems.length === 0, `${problems.length} problems, the first: ${problems[0]}`)
  expect(
    seen.again > 0 && seen.afterRestarts > seen.beforeRestarts,
    'nobody read a state again, or meanwhile',
  )
  const versions = readings.map(({ state }) => stores.map((store) => state.versions[store]).join())
  const states = new Set(versions).size
  expect(states > 10, `only ${states} different states were read`)
  const pages = readings.reduce((sum, { state }) => sum + state.pages, 0)
  const commits = writers.reduce((sum, writer) => sum + writer.commits.length, 0)
  return `${readings.length} readers of ${states} states in ${pages} pages, ${seen.again} of them of a state read before, during ${commits} commits: 0 torn`
}

async function oneToken(readers: Readers, random: Random): Promise<Tokens> {
  const family = clientOf(readers, callerBy(readers, random)).family('proof')
  const { snapshotToken } = await family.snapshot([...stores])
  return { north: snapshotToken, east: snapshotToken, south: snapshotToken, west: snapshotToken }
}

/** What a service would do that reads the clocks of the types with several statements. */
async function tokenOfEach(readers: Readers, random: Random): Promise<Tokens> {
  const family = clientOf(readers, callerBy(readers, random)).family('proof')
  const tokens: Record<string, string> = {}
  for (const store of stores) tokens[store] = (await family.snapshot([store])).snapshotToken
  return tokens as Tokens
}

async function showMutant({ readers, writers, random }: Scene): Promise<string> {
  const tried = 40
  let torn = 0
  await forEachNumber(tried, 4, async () => {
    const state = await readState(readers, await tokenOfEach(readers, random), random)
    if (judgeState(writers, state).torn.length > 0) torn += 1
  })
  expect(torn > 0, `none of ${tried} readings with a token for each type was found torn`)
  return `${torn} of ${tried} readings with a token for each type are found torn`
}
