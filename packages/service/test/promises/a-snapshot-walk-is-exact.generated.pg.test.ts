import { seededRandom } from '@octavo/model'
import { letTimePass } from '../support/let-time-pass.ts'
import { freshDatabase, forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { pagePlanOf } from '../support/page-plan-of.ts'
import type { PointInTime } from '../../src/read/plan/page-plan.ts'
import { capturedBy } from '../../src/read/token/walk.ts'
import { SnapshotNotReadable } from '../../src/read/rows/state/page-clock.ts'
import { employeeDefinition } from '../support/employee.ts'
import { atNight, many, seed } from '../support/generated-cases.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { partOf } from '../support/put-object.ts'
import { describeTally } from '../support/under-load/describe-tally.ts'
import { employees } from '../support/under-load/modelled-type.ts'
import { runLoad, type LoadTally } from '../support/under-load/run-load.ts'
import { commitBySequence } from '../support/under-load/sequence-versions.ts'

const database = forAllTests(freshDatabase)

/** Without a lock the live count is soon wrong; this looks for a walk with wrong objects. */
const isTorn = (tally: LoadTally) => tally.differences.some((difference) => difference.kind === 'objects')

const say = (line: string) => process.stdout.write(`${line}\n`)

it.for([
  { first: 1, keys: 60, walks: many(250) },
  { first: 2, keys: 700, walks: many(250) },
  ...atNight([
    { first: 5, keys: 20, walks: 2_000 },
    { first: 6, keys: 2_000, walks: 1_000 },
  ]),
])(
  'equals the model at its version, object for object and in order, with $keys keys under writers and pruning',
  { timeout: many(180_000) },
  async ({ first, keys, walks }) => {
    const drawn = seed(first)
    const tally = await runLoad({
      databaseUrl: database.url,
      seed: drawn,
      keys,
      walks,
      mostSeconds: many(150),
    })
    say(describeTally(drawn, tally))
    expect(tally.differences.slice(0, 3)).toEqual([])
    // A load that is too small would prove nothing.
    expect(tally.walks).toBeGreaterThanOrEqual(walks)
    expect(tally.commits).toBeGreaterThan(100)
    expect(tally.objects).toBeGreaterThan(walks * keys * 0.3)
    expect(tally.latestWalks).toBeGreaterThan(3)
    expect(tally.prunedRows).toBeGreaterThan(0)
    if (keys < 100) expect(tally.oneByOne).toBeGreaterThan(0)
  },
)

it('would be found torn if versions came from a sequence, and is not when they do not', async () => {
  const options = { databaseUrl: database.url, keys: 400, mostSeconds: 25, pauseMilliseconds: 0 }
  const torn = await runLoad({ ...options, seed: 3, walks: 2_000, until: isTorn, mutant: commitBySequence })
  say(describeTally(3, torn))
  expect(isTorn(torn)).toBe(true)
  // The same load through the same harness, with the store's own commit: the only difference is the sequence.
  const whole = await runLoad({ ...options, seed: 4, walks: 100, mutant: async (store) => store })
  say(describeTally(4, whole))
  expect(whole.differences).toEqual([])
})

it('is gone once pruning went past it, and such a page does not show the snapshot', async () => {
  const store = openTestStore({ databaseUrl: database.url })
  try {
    const ontology = await store.applyOntology({ apiName: 'gone', displayName: 'Gone' })
    const modelled = employees(await store.applyObjectType(ontology, employeeDefinition), 40)
    const { type, keys } = modelled
    const random = seededRandom(5)
    const putAll = () =>
      store.commit({
        parts: [
          partOf(
            type,
            keys.map((key) => ({ key, object: modelled.makeObject(key, random) })),
          ),
        ],
      })
    const pages = (at: PointInTime) => store.readPage(pagePlanOf(type, { at }))
    const pruneAfter = async (seconds: number) => {
      await letTimePass(store, type, seconds)
      return store.prune(type, { retentionSeconds: 600, settleSeconds: 100, commitsKeptSeconds: 10_000 })
    }

    await putAll()
    const first = await pages({ kind: 'capture' })
    const captured = first.clock
    await putAll()
    const at = capturedBy(captured)
    expect((await pages(at)).records).toEqual(first.records)

    // First the floor is raised; rows are deleted only once it has settled. Until then a page is refused for the floor
    // alone.
    expect(await pruneAfter(700)).toMatchObject({ historyRows: 0 })
    await expect(pages(at)).rejects.toThrow(SnapshotNotReadable)
    expect(await pruneAfter(50)).toMatchObject({ historyRows: 0 })
    expect(await pruneAfter(51)).toMatchObject({ historyRows: keys.length })
    await expect(pages(at)).rejects.toThrow(SnapshotNotReadable)
  } finally {
    await store.database.close()
  }
})
