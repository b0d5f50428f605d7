// Writers, a loader, snapshot walkers, latest walkers and pruning, all at once and all seeded; every walk is checked against
// the acknowledged commits.
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@octavo/client'
import type { ObjectType, Store } from '../../../packages/service/test/inside.ts'
import { testToken } from '../../../packages/service/test/support/test-access.ts'
import { randomFrom } from '../random.ts'
import { CommitOracle } from './commit-oracle.ts'
import { countedFetch } from './counted-fetch.ts'
import { judgeLatestWalk, judgeSnapshotWalk, type SnapshotWalkRead } from './judge-walk.ts'
import { walkLatest, walkSnapshots, type Walking } from './walk-continuously.ts'
import { commit, isNeverDeleted, writeContinuously, type Writer, type Writing } from './write-continuously.ts'

export interface LoadSettings {
  readonly url: string
  readonly ontologyRid: string
  readonly apiFamily: string
  readonly type: ObjectType
  /** A store beside the service, for pruning. */
  readonly store: Store
  readonly seed: number
  /** The longest pause of a writer between two commits. */
  readonly pauseMilliseconds: number
  /** The longest pause of most walkers between two pages. */
  readonly pagePauseMilliseconds: number
  /** In addition to the pruning of the instances, which never keep less than a minute. */
  readonly pruning?: { readonly retentionSeconds: number; readonly everyMilliseconds: number }
}

interface LoadTally {
  snapshotWalks: number
  latestWalks: number
  objects: number
  commits: number
  /** Acknowledged with the receipt of an earlier attempt, whose answer was lost. */
  replayed: number
  prunedRows: number
  readonly unanswered: Map<string, number>
  readonly interrupted: Map<string, number>
  readonly restarted: Map<string, number>
  /** Walks that ended without an error and were not exact. */
  readonly wrong: string[]
}

export interface MixedLoad {
  readonly tally: LoadTally
  readonly oracle: CommitOracle
  readonly underWay: () => number
  /** Throws what a writer or walker threw. */
  readonly throwIfFailed: () => void
  /** Resolves once every commit that was sent is acknowledged, and every walk is checked. */
  readonly end: () => Promise<void>
}

export const keysOf = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${letter}${String(i).padStart(4, '0')}`)

const writers = [
  { letter: 'a', keys: 120, mostChanges: 8, slower: 1 },
  { letter: 'b', keys: 120, mostChanges: 8, slower: 1 },
  { letter: 'c', keys: 60, mostChanges: 2, slower: 0.5 },
  { letter: 'l', keys: 300, mostChanges: 200, slower: 10 },
] as const
const snapshotWalkers = 4
const latestWalkers = 2

export async function startMixedLoad(settings: LoadSettings): Promise<MixedLoad> {
  const { seed, url, ontologyRid, apiFamily, type, pauseMilliseconds } = settings
  const oracle = new CommitOracle()
  const tally = emptyTally()
  const counted = countedFetch()
  const toJudge: SnapshotWalkRead[] = []
  const failures: unknown[] = []
  let ending = false
  let edition = 0
  const goesOn = () => !ending && failures.length === 0
  const neverDeleted = writers.flatMap(({ letter, keys }) => keysOf(letter, keys).filter(isNeverDeleted))

  const judge = () => {
    const ready = toJudge.filter(({ version }) => version <= oracle.known)
    for (const walk of ready) {
      keep(tally, judgeSnapshotWalk(oracle, walk))
      tally.snapshotWalks += 1
      tally.objects += walk.editions.length
    }
    toJudge.splice(0, toJudge.length, ...toJudge.filter(({ version }) => version > oracle.known))
  }
  const writing: Writing = {
    target: {
      url,
      ontologyRid,
      objectType: type.apiName,
      fetch: counted.fetch,
      unanswered: (why) => count(tally.unanswered, why),
    },
    oracle,
    nextEdition: () => (edition += 1),
    goesOn,
    acknowledged: ({ replayed }) => {
      tally.commits += 1
      if (replayed) tally.replayed += 1
    },
  }
  const walking: Walking = {
    client: createClient({
      url,
      token: testToken,
      fetch: counted.fetch,
      timeoutSeconds: 15,
      backoffMilliseconds: 50,
      retries: 4,
    }),
    apiFamily,
    pauseMilliseconds: settings.pagePauseMilliseconds,
    goesOn,
    knownVersion: () => oracle.known,
    lastEditionSent: () => edition,
    snapshotRead: (walk) => {
      toJudge.push(walk)
      judge()
    },
    latestRead: (walk) => {
      keep(tally, judgeLatestWalk(oracle, walk, neverDeleted))
      tally.latestWalks += 1
      tally.objects += walk.editions.length
    },
    interrupted: ({ errorName }) => count(tally.interrupted, errorName),
    ended: ({ errorName }) => count(tally.restarted, errorName),
  }

  const all = writers.flatMap(({ letter, keys }) => keysOf(letter, keys))
  await commit(
    writing,
    'first',
    all.map((key) => ({ key, edition: writing.nextEdition() })),
  )

  const running = [
    ...writers.map(({ letter, keys, mostChanges, slower }, i) => {
      const writer: Writer = {
        name: letter,
        random: randomFrom(seed + i),
        keys: keysOf(letter, keys),
        mostChanges,
        pauseMilliseconds: pauseMilliseconds * slower,
      }
      return writeContinuously(writing, writer)
    }),
    ...Array.from({ length: snapshotWalkers }, (_, i) => walkSnapshots(walking, randomFrom(seed + 100 + i))),
    ...Array.from({ length: latestWalkers }, (_, i) => walkLatest(walking, randomFrom(seed + 200 + i))),
    pruneContinuously(settings, goesOn, tally),
  ].map((work) => work.catch((error: unknown) => void failures.push(error)))

  const throwIfFailed = () => {
    if (failures.length > 0) throw failures[0]
  }
  return {
    tally,
    oracle,
    underWay: counted.underWay,
    throwIfFailed,
    end: async () => {
      ending = true
      await Promise.all(running)
      throwIfFailed()
      judge()
      if (toJudge.length > 0) {
        throw new Error(`version ${oracle.known + 1} was read and is nobody's acknowledged commit`)
      }
    },
  }
}

async function pruneContinuously(
  { store, type, pruning }: LoadSettings,
  goesOn: () => boolean,
  tally: LoadTally,
): Promise<void> {
  if (pruning === undefined) return
  const { retentionSeconds, everyMilliseconds } = pruning
  // Commits are kept: they are compared with the acknowledged ones.
  const times = { retentionSeconds, settleSeconds: 0.2, commitsKeptSeconds: 86_400 }
  while (goesOn()) {
    try {
      tally.prunedRows += (await store.prune(type, times)).historyRows
    } catch {
      // The database is down; it is pruned when it is back.
    }
    await sleep(everyMilliseconds)
  }
}

const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

function keep(tally: LoadTally, problem: string | undefined): void {
  if (problem !== undefined) tally.wrong.push(problem)
}

const emptyTally = (): LoadTally => ({
  snapshotWalks: 0,
  latestWalks: 0,
  objects: 0,
  commits: 0,
  replayed: 0,
  prunedRows: 0,
  unanswered: new Map(),
  interrupted: new Map(),
  restarted: new Map(),
  wrong: [],
})
