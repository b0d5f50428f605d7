// At a version an object may have several adjacent rows: its current one and its former ones. A stretch may end between any two
// of them. So stretches are short here, and the test reads every version of a few objects that change all the time.
import { beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '@octavo/model'
import { pagePlanOf } from '../../../../test/support/page-plan-of.ts'
import type { PagePlan } from '../../plan/page-plan.ts'
import { putObject } from '../../../../test/support/put-object.ts'
import { readWalk } from '../../../../test/support/read-walk.ts'
import { everything } from '../../../catalog/filter/filter.ts'
import { countMatches } from '../numbers/count-matches.ts'
import { readPage } from './read-page.ts'
import { rowSourcesOf } from '../state/row-sources.ts'
import { scanRows } from './scan-rows.ts'
import { stateReader } from '../state/state-reader.ts'
import { snapshotAt } from '../../../../test/support/snapshot-at.ts'
import { forAllTests } from '@octavo/dev-database/vitest'
import { withStore } from '../../../../test/support/with-store.ts'
import { defineType } from '../../../../test/support/define-type.ts'

const keys = 12
const commits = 40
/** Every commit changes this object, so that its rows together are longer than most stretches. */
const restless = 5

const { store, ontology } = withStore()
const type = forAllTests(() =>
  store.applyObjectType(
    ontology,
    defineType(
      'device',
      { id: 'integer', rank: 'integer sortable', state: 'string' },
      { displayName: 'Device', titleProperty: 'state' },
    ),
  ),
)

interface Device {
  readonly id: number
  readonly rank: number
  readonly state: string
}
/** The objects of each version, in the order of the key. */
const versions = new Map<string, readonly Device[]>()

beforeAll(async () => {
  const random = seededRandom(9)
  const model = new Map<number, Device>()
  for (let commit = 0; commit < commits; commit += 1) {
    const changed = Array.from({ length: keys }, (_, id) => id).filter(
      (id) => id === restless || random.integer(0, 3) === 0,
    )
    const changes = changed.map((id) => {
      if (id !== restless && model.has(id) && random.integer(0, 3) === 0) {
        model.delete(id)
        return { kind: 'delete' as const, key: String(id) }
      }
      const device = { id, rank: random.integer(0, 2), state: `of commit ${commit}` }
      model.set(id, device)
      return putObject(type, device)
    })
    await store.commit({ parts: [{ type, changes }] })
    const { clock } = await store.readPage(pagePlanOf(type, { pageSize: 1 }))
    versions.set(
      clock.version,
      [...model.values()].toSorted((a, b) => a.id - b.id),
    )
  }
})

/** A filter that every object matches: without one, the total is on the clock. */
const countedOneByOne = (at: PagePlan['at']): PagePlan => {
  const plan = pagePlanOf(type, { at })
  return { ...plan, access: { kind: 'scan', order: plan.order, within: everything, check: everything } }
}

const lengths = [1, 2, 3, 5, 17].map((length) => ({
  length,
  stretchLengths: { usual: [length], longer: [2 * length, 1_000] },
}))

const orders = [
  { name: 'by the key', order: [], compare: (a: Device, b: Device) => a.id - b.id },
  {
    name: 'by a property',
    order: [{ property: 'rank', direction: 'asc' as const }],
    compare: (a: Device, b: Device) => a.rank - b.rank || a.id - b.id,
  },
  {
    name: 'by a property, the other way',
    order: [{ property: 'rank', direction: 'desc' as const }],
    compare: (a: Device, b: Device) => b.rank - a.rank || b.id - a.id,
  },
]

describe.each(lengths)('stretches of $length rows', ({ stretchLengths }) => {
  it.each(orders)('P35: every object of every version comes once, $name', async ({ order, compare }) => {
    const sources = rowSourcesOf(store.database, { stretchLengths, elapsed: () => 0 })
    for (const [version, expected] of versions) {
      const walk = await readWalk({
        readPage: (plan) => scanRows(sources, plan, stateReader(sources, plan), {}),
        type,
        order,
        pageSize: () => 1 + (Number(version) % 4),
        at: await snapshotAt(store, type, version),
      })
      expect(walk.objects.map(({ properties }) => properties)).toEqual(expected.toSorted(compare))
    }
  })

  it('what is counted at a version is what it holds', async () => {
    const usual = stretchLengths.usual.map((length) => length + commits)
    const sources = rowSourcesOf(store.database, {
      stretchLengths: { ...stretchLengths, usual },
      elapsed: () => 0,
    })
    for (const [version, expected] of versions) {
      const total = await countMatches(sources, countedOneByOne(await snapshotAt(store, type, version)))
      expect(total).toEqual({ count: expected.length, isBound: false })
    }
  })
})

it('an object with more rows than are counted at a time is a bound', async () => {
  const sources = rowSourcesOf(store.database, {
    stretchLengths: { usual: [20], longer: [] },
    elapsed: () => 0,
  })
  const [version = '', expected = []] = [...versions].at(20) ?? []
  const total = await countMatches(sources, countedOneByOne(await snapshotAt(store, type, version)))
  expect(total.isBound).toBe(true)
  expect(total.count).toBeLessThan(expected.length)
})

it('P35: pages of one statement show every version too', async () => {
  const sources = rowSourcesOf(store.database)
  for (const [version, expected] of versions) {
    const walk = await readWalk({
      readPage: (plan) => readPage(sources, plan),
      type,
      pageSize: () => 1 + (Number(version) % 4),
      at: await snapshotAt(store, type, version),
    })
    expect(walk.objects.map(({ properties }) => properties)).toEqual(expected)
  }
})
