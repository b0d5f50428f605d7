// Writers, readers and pruning at once on two instances; every complete walk is compared with the model.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from '@octavo/model'
import type { ObjectType } from '../../../src/catalog/object-type.ts'
import { employeeDefinition } from '../employee.ts'
import { openTestStore, type TestStore } from '../open-test-store.ts'
import { checkLatestWalk, checkSnapshotWalk, type Difference } from './check-walk.ts'
import { CommitLedger } from './commit-ledger.ts'
import { deviceDefinition } from './device.ts'
import { devices, employees, type ModelledType } from './modelled-type.ts'
import { walkLatest, walkSnapshot } from './walk-pages.ts'
import { writeFirst, writeOnce } from './write-load.ts'

export interface LoadOptions {
  readonly databaseUrl: string
  readonly seed: number
  /** The number of keys of each type; about two thirds of them have an object at any time. */
  readonly keys: number
  /** The load ends after this many complete snapshot walks. */
  readonly walks: number
  /** The load ends after this time at the latest, even with fewer walks. */
  readonly mostSeconds: number
  /** The longest pause of a writer between two commits. */
  readonly pauseMilliseconds?: number
  /** Ends the load earlier when it returns true. */
  readonly until?: (tally: LoadTally) => boolean
  /** Another way to commit, to show that the checks would detect it; its writers use separate keys. */
  readonly mutant?: (store: TestStore, type: ObjectType) => Promise<Writes>
}

type Writes = Pick<TestStore, 'commit' | 'stage'>

export interface LoadTally {
  walks: number
  gone: number
  latestWalks: number
  pages: number
  /** Those of the walks with one object per page. */
  oneByOne: number
  objects: number
  commits: number
  changes: number
  prunedRows: number
  prunedCommits: number
  readonly differences: Difference[]
}

const writers = 8
const readers = 8
const settleSeconds = 0.2
const retentionSeconds = 0.5

export async function runLoad(options: LoadOptions): Promise<LoadTally> {
  // On one instance, stretches are so short that they keep ending within the objects.
  const stretchLengths = { usual: [3, 40], longer: [1_000, 1_000_000] }
  const instances = [openTestStore(options), openTestStore(options, { stretchLengths })] as const
  try {
    return await loadInstances(instances, options)
  } finally {
    await Promise.all(instances.map((store) => store.database.close()))
  }
}

async function loadInstances(
  instances: readonly [TestStore, TestStore],
  options: LoadOptions,
): Promise<LoadTally> {
  const { seed, keys, mutant, pauseMilliseconds = 60 } = options
  const random = seededRandom(seed)
  const [first] = instances
  const ontology = await first.applyOntology({ apiName: `load-${seed}-${keys}`, displayName: 'Load' })
  const employee = employees(await first.applyObjectType(ontology, employeeDefinition), keys)
  const device = devices(await first.applyObjectType(ontology, deviceDefinition), Math.ceil(keys / 2))
  const types: readonly [ModelledType, ...ModelledType[]] =
    mutant === undefined ? [employee, device] : [employee]
  const ledger = new CommitLedger()
  const tally = emptyTally()
  const mutated = await mutant?.(first, employee.type)
  await writeFirst({ store: mutated ?? first, ledger, random, types })

  const endsAt = performance.now() + options.mostSeconds * 1000
  const failures: unknown[] = []
  const goesOn = () =>
    failures.length === 0 &&
    tally.walks < options.walks &&
    performance.now() < endsAt &&
    options.until?.(tally) !== true
  const worker = async (work: () => Promise<void>) => {
    try {
      while (goesOn()) await work()
    } catch (error) {
      failures.push(error)
    }
  }
  const instance = (number: number) => instances[number % 2 === 0 ? 0 : 1]

  await Promise.all([
    ...Array.from({ length: writers }, (_, i) => {
      const own = random.branch(i)
      const tools = { ledger, random: own, store: mutated ?? instance(i), types }
      const ownTools = mutated === undefined ? tools : { ...tools, types: [shareOf(employee, i)] as const }
      return worker(async () => {
        await writeOnce(ownTools)
        await sleep(own.integer(0, pauseMilliseconds))
      })
    }),
    ...Array.from({ length: readers }, (_, i) => {
      const own = random.branch(100 + i)
      return worker(() =>
        readOnce({ store: instance(i), ledger, random: own, modelled: own.pick(types), tally }),
      )
    }),
    ...instances.map((store) =>
      worker(async () => {
        for (const { type } of types) {
          // Commits are kept longer than snapshots, as in the service: then only the floor tells that a snapshot is gone.
          const commitsKeptSeconds = retentionSeconds * 8
          const times = { retentionSeconds, settleSeconds, commitsKeptSeconds }
          const pruned = await store.prune(type, times)
          tally.prunedRows += pruned.historyRows
          tally.prunedCommits += pruned.commits
        }
        await sleep(50)
      }),
    ),
  ])
  if (failures.length > 0)
    throw new AggregateError(failures, `the load of seed ${seed} failed: ${String(failures[0])}`)

  tally.commits = ledger.recorded.length
  tally.changes = ledger.recorded.flatMap(({ parts }) => parts.flatMap(({ changes }) => changes)).length
  if (mutant === undefined) {
    tally.differences.push(...ledger.wrongReceipts().map((detail) => ({ kind: 'total' as const, detail })))
  }
  return tally
}

/** Every eighth key: two writers without a lock would conflict with each other, not only tear snapshots. */
function shareOf(modelled: ModelledType, writer: number): ModelledType {
  const [first = '', ...others] = modelled.keys.filter((_key, i) => i % writers === writer)
  return { ...modelled, keys: [first, ...others] }
}

interface ReaderTools {
  readonly store: TestStore
  readonly ledger: CommitLedger
  readonly random: Random
  readonly modelled: ModelledType
  readonly tally: LoadTally
}

async function readOnce({ store, ledger, random, modelled, tally }: ReaderTools): Promise<void> {
  const { readPage } = store
  const small = modelled.keys.length <= 100
  if (random.chance(0.1)) {
    const pageSize = () => random.integer(small ? 1 : 30, 300)
    const pages = await walkLatest({ readPage, modelled, order: [], pageSize })
    await ledger.complete()
    tally.latestWalks += 1
    tally.pages += pages.length
    keep(tally, checkLatestWalk(modelled, pages))
    return
  }
  const order = random.pick(modelled.orders)
  const oneByOne = random.chance(small ? 0.2 : 0.02)
  // Small pages as often as large ones; a new size for every page.
  const pageSize = () => (oneByOne ? 1 : Math.round(1000 ** random.unit()))
  // Some readers take longer than snapshots are kept.
  const readSlowly: TestStore['readPage'] = async (plan) => {
    await sleep(random.integer(20, 200))
    return readPage(plan)
  }
  const slow = random.chance(0.04)
  const walk = await walkSnapshot({ readPage: slow ? readSlowly : readPage, modelled, order, pageSize })
  if (walk.kind === 'gone') {
    tally.gone += 1
    tally.pages += walk.pages
    return
  }
  await ledger.complete()
  tally.walks += 1
  if (oneByOne) tally.oneByOne += 1
  tally.pages += walk.pages.length
  tally.objects += walk.pages.reduce((sum, page) => sum + page.records.length, 0)
  keep(tally, checkSnapshotWalk(modelled, walk, order))
}

function keep(tally: LoadTally, difference: Difference | undefined): void {
  if (difference !== undefined) tally.differences.push(difference)
}

const emptyTally = (): LoadTally => ({
  walks: 0,
  gone: 0,
  latestWalks: 0,
  pages: 0,
  oneByOne: 0,
  objects: 0,
  commits: 0,
  changes: 0,
  prunedRows: 0,
  prunedCommits: 0,
  differences: [],
})
