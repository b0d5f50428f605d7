// At a version, current also holds rows that are not alive. Here most rows between two objects of a page are new, and there are
// more of them than one statement reads.
import { beforeAll, describe, expect, it } from 'vitest'
import { pagePlanOf } from '../../../../test/support/page-plan-of.ts'
import { putItems } from '../../../../test/support/load-items.ts'
import { readWalk, recordsOf } from '../../../../test/support/read-walk.ts'
import { snapshotAt } from '../../../../test/support/snapshot-at.ts'
import { forAllTests } from '@octavo/dev-database/vitest'
import { withStore } from '../../../../test/support/with-store.ts'
import { countMatches } from '../numbers/count-matches.ts'
import { defineType } from '../../../../test/support/define-type.ts'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
const before = [...range(0, 10), ...range(5_000, 5_020), ...range(9_990, 10_000)]

const { store, ontology } = withStore()
const type = forAllTests(() =>
  store.applyObjectType(
    ontology,
    defineType('old', { id: 'integer', state: 'string', rank: 'integer sortable' }),
  ),
)
let version: string

beforeAll(async () => {
  const item = (state: string) => (id: number) => ({ id, state, rank: -Math.floor(id / 100) })
  await putItems(store, type, before.map(item('old')))
  version = (await store.readPage(pagePlanOf(type, { pageSize: 1 }))).clock.version
  for (const from of range(0, 10)) {
    await putItems(store, type, range(from * 1_000, (from + 1) * 1_000).map(item('new')))
  }
})

const orders = [
  { name: 'by the key', by: [] },
  { name: 'by a property', by: [{ property: 'rank', direction: 'asc' as const }] },
  { name: 'by a property, the other way', by: [{ property: 'rank', direction: 'desc' as const }] },
]

describe.each(orders)('$name', ({ by }) => {
  it.each([1, 7, 20, 50, 1_000])(
    'P35: every object of the version comes once, %s to a page',
    async (pageSize) => {
      const walk = await readWalk({
        readPage: store.readPage,
        type,
        order: by,
        pageSize: () => pageSize,
        at: await snapshotAt(store, type, version),
      })
      const found = walk.objects.map(({ properties }) => properties)
      expect(found.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(before)
      expect(new Set(found.map(({ state }) => state))).toEqual(new Set(['old']))
    },
  )
})

it('what is counted at a version is what was there', async () => {
  const plan = pagePlanOf(type, { at: await snapshotAt(store, type, version) })
  expect(await countMatches(store, plan)).toEqual({ count: before.length, isBound: false })
})

it('a page that one statement fills reads no further', async () => {
  const plan = pagePlanOf(type, { pageSize: 5, at: await snapshotAt(store, type, version) })
  const page = await store.readPage(plan)
  expect(recordsOf(page)).toHaveLength(5)
  expect(page.more).toBe(true)
})
