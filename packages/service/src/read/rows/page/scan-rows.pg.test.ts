import { beforeAll, expect, it } from 'vitest'
import type { PagePlan } from '../../plan/page-plan.ts'
import { planPage } from '../../plan/plan-page.ts'
import { capturedBy } from '../../token/walk.ts'
import { putItems } from '../../../../test/support/load-items.ts'
import { recordsOf } from '../../../../test/support/read-walk.ts'
import type { PageRows, ReadLimits } from './page-rows.ts'
import { readPage } from './read-page.ts'
import { rowSourcesOf } from '../state/row-sources.ts'
import { forAllTests } from '@octavo/dev-database/vitest'
import { withStore } from '../../../../test/support/with-store.ts'
import { defineType } from '../../../../test/support/define-type.ts'

const objects = 3_000
/** Matches on both sides of the end of the first stretch, which has 1,000 rows. */
const hits = [998, 999, 1_000, 1_001, 2_999]
const filler = 'x'.repeat(500)

const { store, ontology } = withStore()
const type = forAllTests(() =>
  store.applyObjectType(
    ontology,
    defineType('scanned', { id: 'integer', marks: 'integer[] searchable', filler: 'string' }),
  ),
)

beforeAll(async () => {
  await putItems(
    store,
    type,
    Array.from({ length: objects }, (_, id) => ({ id, marks: [hits.includes(id) ? 10 : 1], filler })),
  )
})

async function plan(some: Partial<PagePlan>): Promise<PagePlan> {
  const request = {
    endpoint: 'searchObjects',
    pageSize: 100,
    pageToken: undefined,
    snapshot: false,
    orderBy: [],
    select: undefined,
    query: { type: 'gt', field: 'marks', value: 5 },
    filters: [],
  } as const
  const planned = await planPage({
    type,
    request,
    claims: {},
    walk: undefined,
    estimate: async (filters) => filters.map(() => ({ objects: 1, states: 1 })),
  })
  expect(planned.access?.kind).toBe('scan')
  return { ...planned, ...some }
}

const shown = (page: PageRows) => {
  const ids = recordsOf(page).map(
    (text) => (JSON.parse(text) as { properties: { id: number } }).properties.id,
  )
  return { ids, more: page.more, position: page.position }
}
const read = async (some: Partial<PagePlan>) => shown(await store.readPage(await plan(some)))

it('matches of several stretches make one page', async () => {
  expect(await read({})).toEqual({ ids: hits, more: false, position: undefined })
})

it('a page that is full at the end of a stretch looks on for one more match', async () => {
  expect(await read({ pageSize: 2 })).toEqual({ ids: [998, 999], more: true, position: ['999'] })
  expect(await read({ pageSize: 4 })).toEqual({ ids: hits.slice(0, 4), more: true, position: ['1001'] })
  expect(await read({ pageSize: 5 })).toEqual({ ids: hits, more: false, position: undefined })
})

it('P8: the byte budget counts over all stretches, and one object always goes', async () => {
  expect(await read({ byteBudget: 2_000 })).toEqual({
    ids: [998, 999, 1_000],
    more: true,
    position: ['1000'],
  })
  expect(await read({ byteBudget: 10 })).toEqual({ ids: [998], more: true, position: ['998'] })
  expect(await read({ byteBudget: 10, position: ['1001'] })).toEqual({
    ids: [2_999],
    more: false,
    position: undefined,
  })
})

it('all stretches of a captured snapshot read its version', async () => {
  const captured = await store.readPage(await plan({ at: { kind: 'capture' }, pageSize: 1 }))
  await putItems(store, type, [{ id: 2_999, marks: [1], filler }])
  expect(await read({ at: capturedBy(captured.clock) })).toMatchObject({ ids: hits })
  expect(await read({})).toMatchObject({ ids: hits.slice(0, -1) })
  await putItems(store, type, [{ id: 2_999, marks: [10], filler }])
})

/** The clock advances by this much each time it is read, so a page takes long after its first stretch of 1,000. */
const readSlowly = async (some: Partial<PagePlan>, limits: ReadLimits = {}) => {
  let now = 0
  const sources = rowSourcesOf(store.database, {
    stretchLengths: { usual: [1_000], longer: [] },
    elapsed: () => (now += 11_000),
  })
  return shown(await readPage(sources, await plan(some), limits))
}

it('P113: a page that takes long ends before the stretch in which one more match was found', async () => {
  expect(await readSlowly({})).toEqual({ ids: [998, 999], more: true, position: ['999'] })
  expect(await readSlowly({ position: ['998'] })).toEqual({
    ids: [999, 1_000, 1_001],
    more: true,
    // The next match is 2,999, in the third stretch after 998.
    position: ['2998'],
  })
  expect(await readSlowly({ position: ['1001'] })).toEqual({ ids: [2_999], more: false, position: undefined })
})

it('P113: one match is enough for a page that takes long, and the next one proves that it is not the last', async () => {
  await putItems(store, type, [{ id: 2_998, marks: [10], filler }])
  expect(await readSlowly({ position: ['1001'] })).toEqual({ ids: [2_998], more: true, position: ['2998'] })
})

it('P113: when the time of the request is nearly up, a page ends where it has read to', async () => {
  expect(await readSlowly({ position: ['1001'] }, { answerBy: 30_000 })).toEqual({
    ids: [],
    more: true,
    position: ['2001'],
  })
})
