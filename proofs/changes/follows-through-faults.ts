// Copies that are kept by `follow`, while writers write and everything is killed: each state that a follower reports is judged, and
// followers with a fault must be found out.
import { expect, type Proof } from '../harness/prove.ts'
import { faultsOf } from '../harness/faults/faults.ts'
import { sayFaults, strikeContinuously } from '../harness/faults/strike-continuously.ts'
import { loseStates } from './follower-failovers.ts'
import type { FollowedLoad } from './follower-load.ts'
import { withFollowerRun } from './follower-run.ts'

/** The long form takes `--minutes`: two thirds of them with faults of every kind, the rest with failovers that lose states. */
export async function proveFollowsThroughFaults(proof: Proof): Promise<void> {
  const minutes = Number(proof.given['minutes'] ?? 60)
  const seed = Number(proof.given['seed'] ?? Date.now() % 1_000_000)
  proof.say(`seed ${seed}`)
  let lossy: FollowedLoad | undefined

  await proof.point(
    'Whatever is killed, cut, failed over or rotated, a copy that follows equals the collection in every state',
    () => followsThroughAll(proof, { seed, seconds: proof.short ? 0 : minutes * 40 }),
  )
  await proof.point('A follower is notified if and only if a failover has lost its state', async () => {
    lossy = await followsThroughLosses(proof, { seed: seed + 1, seconds: proof.short ? 0 : minutes * 20 })
    const notices = countOf(lossy, 'restart: historyChanged')
    return `${lossy.failovers.length} failovers, each with lost states; ${notices} times a follower was notified; ${summary(lossy)}`
  })
  await proof.point(
    'A follower that stores its token before its data is found out, and so is one that keeps what was lost',
    async () => {
      expect(lossy !== undefined, 'the run with these followers has failed')
      return [...lossy.mutants]
        .map(([mutation, { judge }]) => {
          const [found] = judge.wrong
          expect(
            found !== undefined,
            `nothing was found wrong with a follower that has the fault: ${mutation}`,
          )
          return found
        })
        .join('; ')
    },
  )
}

interface Length {
  readonly seed: number
  readonly seconds: number
}

async function followsThroughAll(proof: Proof, { seed, seconds }: Length): Promise<string> {
  const load = await withFollowerRun({ kind: 'synchronous', seed, mutations: [] }, async (run) => {
    const { pair, instances, databaseConnections, random, answering } = run
    const clientConnections = instances.connections
    const all = faultsOf({ random, instances, database: pair, clientConnections, databaseConnections })
    // A rotation of keys is two rolling restarts.
    const faults = proof.short ? all.filter(({ name }) => name !== 'rolling restart') : all
    const atLeast = proof.short ? 1 : Math.max(1, Math.floor(seconds / 300))
    const records = await strikeContinuously(proof, {
      faults,
      random,
      load: run.load,
      answering,
      seconds,
      atLeast,
    })
    sayFaults(proof, records)
  })
  expectNothingWrong(load)
  expect(load.kills() > 0, 'no follower was killed')
  const others = [...reasonsIn(load)].filter(([by]) => by !== 'first')
  expect(others.length === 0, `nothing was lost, and yet there were restarts: ${JSON.stringify(others)}`)
  return summary(load)
}

async function followsThroughLosses(proof: Proof, { seed, seconds }: Length): Promise<FollowedLoad> {
  const mutations = ['token before data', 'keeps what was lost'] as const
  const load = await withFollowerRun({ kind: 'asynchronous', seed, mutations }, async (run) => {
    const until = performance.now() + seconds * 1_000
    for (let number = 1; number <= 2 || performance.now() < until; number += 1) {
      await loseStates(run, number)
      if (proof.short || number % 20 === 0) proof.say(`${number} failovers, ${summary(run.load)}`)
    }
  })
  expectNothingWrong(load)
  return load
}

function expectNothingWrong({ followers }: FollowedLoad): void {
  const wrong = followers.flatMap(({ judge }) => judge.wrong)
  expect(wrong.length === 0, `${wrong.length} times a copy was wrong: ${wrong.slice(0, 3).join('; ')}`)
  const walks = followers.reduce((sum, { judge }) => sum + judge.walks, 0)
  expect(walks > 0, 'no copy was compared with a walk')
}

const countOf = ({ followers }: FollowedLoad, by: string): number =>
  followers.reduce((sum, { judge }) => sum + (judge.came.get(by) ?? 0), 0)

/** How often each reason led to a whole copy. */
function reasonsIn(load: FollowedLoad): ReadonlyMap<string, number> {
  const ways = new Set(load.followers.flatMap(({ judge }) => [...judge.came.keys()]))
  const restarts = [...ways].filter((by) => by.startsWith('restart: '))
  return new Map(restarts.map((by) => [by.replace('restart: ', ''), countOf(load, by)]))
}

function summary(load: FollowedLoad): string {
  const sum = (of: 'states' | 'changes' | 'walks' | 'gone') =>
    load.followers.reduce((total, { judge }) => total + judge[of], 0).toLocaleString('en')
  const wrong = load.followers.flatMap(({ judge }) => judge.wrong).length
  const reasons = [...reasonsIn(load)].map(([reason, count]) => `${reason} ${count}`).join(', ')
  return (
    `${load.commits().toLocaleString('en')} commits; ${load.followers.length} followers reported ${sum('states')} states by ` +
    `${sum('changes')} changes, ${wrong} with objects lost or left over; ${sum('walks')} were compared with a walk, ${sum('gone')} gone before; ` +
    `whole copies: ${reasons}; followers killed ${load.kills()} times`
  )
}
