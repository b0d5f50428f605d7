// Writers that put, replace, delete and create again, followers of what they write, and the kills of followers.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type FoundObjects } from '@octavo/client'
import type { ObjectType, Store } from '../../packages/service/test/inside.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { randomFrom } from '../harness/random.ts'
import { CommitOracle } from '../harness/faults/commit-oracle.ts'
import { countedFetch } from '../harness/faults/counted-fetch.ts'
import { objectTypeName } from '../harness/faults/fault-objects.ts'
import { keysOf } from '../harness/faults/mixed-load.ts'
import { commit, writeContinuously, type Writing } from '../harness/faults/write-continuously.ts'
import { followerOf, type Follower } from './follower-child.ts'
import { FollowerJudge, type Failover } from './follower-judge.ts'
import type { Mutation } from './follower-order.ts'

export interface FollowedSettings {
  readonly url: string
  readonly ontologyRid: string
  readonly apiFamily: string
  readonly type: ObjectType
  /** A store beside the service, for pruning. */
  readonly store: Store
  readonly seed: number
  /** Holds the copies. */
  readonly folder: string
  /** If acknowledged commits may be lost, copies are not compared with them. */
  readonly losesCommits: boolean
  readonly mutations: readonly Mutation[]
}

export interface Judged {
  readonly follower: Follower
  readonly judge: FollowerJudge
}

export interface FollowedLoad {
  readonly writing: Writing
  /** All are killed now and then, and begin again; if commits are lost, all but the first, which is left to the caller. */
  readonly followers: readonly [Judged, ...Judged[]]
  /** Followers with a fault. They are ended when something wrong is found. */
  readonly mutants: ReadonlyMap<Mutation, Judged>
  readonly failovers: Failover[]
  readonly commits: () => number
  readonly kills: () => number
  readonly underWay: () => number
  readonly throwIfFailed: () => void
  /** Ends the writers; resolves when every follower has the last state. */
  readonly end: () => Promise<void>
  readonly stop: () => Promise<void>
}

const writers = [
  { letter: 'a', mostChanges: 4, pauseMilliseconds: 150 },
  { letter: 'b', mostChanges: 4, pauseMilliseconds: 150 },
  { letter: 'c', mostChanges: 2, pauseMilliseconds: 80 },
  { letter: 'd', mostChanges: 10, pauseMilliseconds: 300 },
  { letter: 'e', mostChanges: 60, pauseMilliseconds: 1_500 },
] as const
const keysOfEach = 60
const lastStateWithinSeconds = 60
const longestDownMilliseconds = 8_000
/** A follower may be down for longer than its state is kept, because its changes are known for longer. */
const pruning = { retentionSeconds: 5, settleSeconds: 0.2, commitsKeptSeconds: 86_400 }

export async function startFollowedLoad(settings: FollowedSettings): Promise<FollowedLoad> {
  const { url, apiFamily, ontologyRid, type, store, seed } = settings
  const oracle = new CommitOracle()
  const failovers: Failover[] = []
  const failures: unknown[] = []
  const counted = countedFetch()
  let [edition, commits, kills] = [0, 0, 0]
  let ending = false
  const goesOn = () => !ending && failures.length === 0
  const objects: FoundObjects = createClient({ url, token: testToken, timeoutSeconds: 15, retries: 4 })
    .family(apiFamily)
    .objects(objectTypeName)
  const writing: Writing = {
    target: { url, ontologyRid, objectType: type.apiName, fetch: counted.fetch, unanswered: () => {} },
    oracle,
    nextEdition: () => (edition += 1),
    goesOn,
    acknowledged: () => (commits += 1),
  }
  const judged = (name: string, mutation?: Mutation): Judged => {
    const random = randomFrom(seed + name.length)
    const judge = new FollowerJudge(name, {
      objects,
      failovers,
      oracle: settings.losesCommits ? undefined : oracle,
    })
    const follower = followerOf({
      name,
      order: () => ({
        url,
        apiFamily,
        mutation,
        file: join(settings.folder, `${name}.json`),
        // Differences of several pages, so that some are cut off between two.
        pageSize: random.next() < 0.5 ? 1_000 : 10 + random.below(50),
        waitSeconds: 1 + random.below(20),
      }),
      heard: (state) => {
        judge.hear(state)
        if (mutation !== undefined && judge.wrong.length > 0) void follower.kill()
      },
      // A mutant kills itself, and begins again as the others do.
      failed: (why) => (mutation === undefined ? failures.push(new Error(why)) : follower.start()),
    })
    return { follower, judge }
  }
  await commit(
    writing,
    'first',
    writers.flatMap(({ letter }) =>
      keysOf(letter, keysOfEach).map((key) => ({ key, edition: writing.nextEdition() })),
    ),
  )
  const followers = [judged('first follower'), judged('second follower'), judged('third follower')] as const
  const mortal = settings.losesCommits ? followers.slice(1) : followers
  const mutants = new Map(settings.mutations.map((mutation) => [mutation, judged(mutation, mutation)]))
  const all = [...followers, ...mutants.values()]
  for (const { follower } of all) follower.start()

  const random = randomFrom(seed + 500)
  const killContinuously = async () => {
    while (goesOn()) {
      await sleep(500 + random.below(4_000))
      const { follower } = mortal[random.below(mortal.length)] ?? {}
      if (follower === undefined) continue
      await follower.kill()
      kills += 1
      await sleep(random.next() < 0.1 ? longestDownMilliseconds : random.below(1_500))
      follower.start()
    }
  }
  const pruneContinuously = async () => {
    while (goesOn()) {
      // If the database is down, it is pruned when it is back.
      await store.prune(type, pruning).catch(() => undefined)
      await sleep(200)
    }
  }
  const running = [
    ...writers.map(({ letter, ...writer }, i) =>
      writeContinuously(writing, {
        ...writer,
        name: letter,
        random: randomFrom(seed + i),
        keys: keysOf(letter, keysOfEach),
      }),
    ),
    killContinuously(),
    pruneContinuously(),
  ].map((work) => work.catch((error: unknown) => void failures.push(error)))
  const throwIfFailed = () => {
    if (failures.length > 0) throw failures[0]
  }

  return {
    writing,
    followers,
    mutants,
    failovers,
    commits: () => commits,
    kills: () => kills,
    underWay: counted.underWay,
    throwIfFailed,
    end: async () => {
      ending = true
      await Promise.all(running)
      // Nobody else writes any more, so this is the last version.
      const last = await commit(writing, 'last', [{ key: 'z0001', edition: writing.nextEdition() }])
      const version = Number(last.version)
      const until = performance.now() + lastStateWithinSeconds * 1_000
      for (const { follower, judge } of followers) {
        while (judge.reached !== version) {
          throwIfFailed()
          if (performance.now() > until) {
            throw new Error(`${follower.name} is at version ${judge.reached}, and the last is ${version}`)
          }
          await sleep(50)
        }
      }
      await Promise.all(all.map(({ judge }) => judge.end()))
      throwIfFailed()
    },
    stop: async () => {
      ending = true
      await Promise.all(all.map(({ follower }) => follower.kill()))
    },
  }
}
