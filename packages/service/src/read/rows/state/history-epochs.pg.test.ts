// A page at a version reads only the epochs of history in which its rows can have ended.
import { beforeEach, expect, it } from 'vitest'
import type { ObjectType } from '../../../catalog/object-type.ts'
import { everything } from '../../../catalog/filter/filter.ts'
import type { Database } from '../../../postgres/database.ts'
import { chooseOrder } from '../../plan/choose-order.ts'
import type { Captured } from '../../token/walk.ts'
import { pagePlanOf } from '../../../../test/support/page-plan-of.ts'
import { countMatches } from '../numbers/count-matches.ts'
import { readPage } from '../page/read-page.ts'
import { rowSourcesOf, type RowSources } from './row-sources.ts'
import { databaseThat } from '../../../../test/support/database-that.ts'
import { putItems } from '../../../../test/support/load-items.ts'
import { readWalk } from '../../../../test/support/read-walk.ts'
import { snapshotAt } from '../../../../test/support/snapshot-at.ts'
import { forEachTest } from '@octavo/dev-database/vitest'
import { withStore, nextOntology } from '../../../../test/support/with-store.ts'
import { defineType } from '../../../../test/support/define-type.ts'

const objects = 20
const ids = Array.from({ length: objects }, (_, id) => id)

const { store } = withStore()
const ontology = forEachTest(() => nextOntology(store))
let type: ObjectType
beforeEach(async () => {
  type = await store.applyObjectType(
    ontology,
    defineType('epochs', { id: 'integer', round: 'integer sortable', group: 'string searchable' }),
  )
})

/** Every object gets the round, and moves in its order. */
const change = (round: number, some: readonly number[] = ids) =>
  putItems(
    store,
    type,
    some.map((id) => ({ id, round: round * 1_000 - id, group: `g${(id + round) % 3}` })),
  )

/** As if the newest epoch were nearly full: the next commit closes it. */
const fillEpoch = () =>
  store.database.run(`update ${type.tables.clock} set epoch_rows = 1000000 where object_type = ${type.id}`)

const newest = async (): Promise<Captured> => {
  const [row] = await store.database.rows({
    text: `select version from ${type.tables.clock} where object_type = $1`,
    values: [type.id],
  })
  return snapshotAt(store, type, row?.['version'] ?? '')
}

const orders = [
  [],
  [{ property: 'round', direction: 'asc' }],
  [{ property: 'round', direction: 'desc' }],
] as const

/** What is read of a version in each way: the rounds of its objects in every order, smallest first, and their number. */
async function readEveryWay(sources: RowSources, at: Captured) {
  const walks: (readonly unknown[])[] = []
  for (const order of orders) {
    const walk = await readWalk({
      readPage: (plan) => readPage(sources, plan),
      type,
      order,
      at,
      pageSize: () => 7,
    })
    walks.push(walk.objects.map(({ properties }) => Number(properties['round'])).toSorted((x, y) => x - y))
  }
  return { walks, total: await countMatches(sources, pagePlanOf(type, { at })) }
}

const wholeRound = (round: number) => ({
  walks: orders.map(() => ids.map((id) => round * 1_000 - id).toReversed()),
  total: { count: objects, isBound: false },
})

it('P35: every version is read whole, however many epochs have closed before it and since', async () => {
  const versions: Captured[] = []
  for (let round = 1; round <= 12; round += 1) {
    // Some epochs have one commit, some have two, some end no row.
    if (round % 3 !== 0) await fillEpoch()
    await change(round)
    versions.push(await newest())
    if (round % 4 === 0) await store.commit({ parts: [{ type, changes: [] }] })
  }
  for (const [i, at] of versions.entries()) {
    expect(await readEveryWay(rowSourcesOf(store.database), at)).toEqual(wholeRound(i + 1))
  }
})

it('P35: a page that named too few epochs is read again, in every way of reading', async () => {
  await change(1)
  const at = await newest()
  // This process believes that nothing has happened since.
  const sources = rowSourcesOf(store.database)
  await readPage(sources, pagePlanOf(type, { at }))
  // The objects of the version end in five epochs.
  for (const round of [2, 3, 4, 5, 6]) {
    await fillEpoch()
    await change(
      round,
      ids.filter((id) => id % 5 === round - 2),
    )
    expect(await readEveryWay(sources, at)).toEqual(wholeRound(1))
  }
  const stale = rowSourcesOf(store.database)
  const known = stale.lastRead
  await readPage(stale, pagePlanOf(type, { at }))
  const seen = known.get(type.tables.current)
  if (seen === undefined) throw new Error('nothing was seen')
  const forget = () => known.set(type.tables.current, { ...seen, epoch: 1, version: '0' })
  forget()
  expect(await readEveryWay(stale, at)).toEqual(wholeRound(1))
  for (const access of [
    { kind: 'scan', order: chooseOrder(type, []), within: everything, check: group('g1') },
    { kind: 'gather', order: chooseOrder(type, []), filter: group('g1') },
  ] as const) {
    forget()
    const page = await readPage(stale, pagePlanOf(type, { at, access }))
    expect(page.objects).toBe(ids.filter((id) => (id + 1) % 3 === 1).length)
  }
})

const group = (value: string) => {
  const column = type.columns.find(({ property, role }) => property === 'group' && role === 'value')
  if (column === undefined) throw new Error('no column')
  return {
    kind: 'compare',
    operator: '=',
    value,
    column: { name: column.name, scalar: 'string', many: false, start: true },
  } as const
}

it('what ended before the version is not read', async () => {
  for (let round = 1; round <= 30; round += 1) {
    await fillEpoch()
    await change(round)
  }
  const at = await newest()
  await change(31)
  const texts: string[] = []
  const noting: Database = databaseThat(store.database, {
    eachRow: (query, ...rest) => (texts.push(query.text), store.database.eachRow(query, ...rest)),
  })
  const sources = rowSourcesOf(noting)
  const page = await readPage(sources, pagePlanOf(type, { at, pageSize: 5 }))
  expect(page.objects).toBe(5)
  expect(texts).toHaveLength(1)
  expect(texts[0]?.match(/epoch = /g)).toHaveLength(1)
})
