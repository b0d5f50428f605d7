import { beforeAll, expect, it } from 'vitest'
import type { EstimateMatches } from '../../plan/choose-access.ts'
import { planPage } from '../../plan/plan-page.ts'
import { putItems } from '../../../../test/support/load-items.ts'
import { forAllTests } from '@octavo/dev-database/vitest'
import { withStore } from '../../../../test/support/with-store.ts'
import { countMatches } from './count-matches.ts'
import { defineType } from '../../../../test/support/define-type.ts'

const objects = 52_000

const { store, ontology } = withStore({ elapsed: () => (now += step) })
const type = forAllTests(() =>
  store.applyObjectType(ontology, defineType('counted', { id: 'integer', marks: 'integer[] searchable' })),
)
let now = 0
let step = 0

beforeAll(async () => {
  await putItems(
    store,
    type,
    Array.from({ length: objects }, (_, id) => ({ id, marks: [id % 100] })),
  )
})

/** No index serves ranges of array values, so every object is checked. */
async function count(least: number) {
  const request = {
    endpoint: 'listObjects',
    pageSize: 10,
    pageToken: undefined,
    snapshot: false,
    orderBy: [],
    select: undefined,
    query: { type: 'gte', field: 'marks', value: least },
    filters: [],
  } as const
  const estimate: EstimateMatches = async (filters) => filters.map(() => ({ objects: 1, states: 1 }))
  return countMatches(store, await planPage({ type, request, claims: {}, walk: undefined, estimate }))
}

it('P69: matches are counted stretch after stretch, exactly', async () => {
  step = 0
  expect(await count(99)).toEqual({ count: 520, isBound: false })
  expect(await count(100)).toEqual({ count: 0, isBound: false })
})

it('P69: counting ends at its bound', async () => {
  expect(await count(50)).toEqual({ count: 10_000, isBound: true })
})

it('P69: counting is given up when its time is up, and what was counted by then is a bound', async () => {
  step = 2_000
  expect(await count(99)).toEqual({ count: 500, isBound: true })
})
