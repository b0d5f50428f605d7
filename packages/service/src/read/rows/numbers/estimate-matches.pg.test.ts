import { beforeAll, expect, it } from 'vitest'
import { resolveFilter } from '../../../catalog/filter/resolve-filter.ts'
import { putItems } from '../../../../test/support/load-items.ts'
import { forAllTests } from '@octavo/dev-database/vitest'
import { withStore } from '../../../../test/support/with-store.ts'
import { defineType } from '../../../../test/support/define-type.ts'

const objects = 2_000
const states = ['waiting', 'begun', 'paused', 'resumed', 'done']

const { store, ontology } = withStore()
const type = forAllTests(() =>
  store.applyObjectType(ontology, defineType('job', { id: 'integer', state: 'string searchable' })),
)

beforeAll(async () => {
  for (const state of states) {
    await putItems(
      store,
      type,
      Array.from({ length: objects }, (_, id) => ({ id, state })),
    )
  }
  for (const table of [type.tables.current, type.tables.history]) await store.database.run(`analyze ${table}`)
})

it('what objects were is expected too where a version is read', async () => {
  const filters = ['waiting', 'done'].map((value) =>
    resolveFilter(type, { type: 'eq', field: 'state', value }),
  )
  const [waitingNow, doneNow] = await store.estimateMatches(type, filters, ['current'])
  expect(waitingNow?.objects).toBeLessThan(objects / 10)
  expect(doneNow?.objects).toBeGreaterThan(objects / 2)
  const [waitingOnce] = await store.estimateMatches(type, filters, ['current', 'history'])
  expect(waitingOnce?.objects).toBeGreaterThan(objects / 20)
  expect(waitingOnce?.states).toBeGreaterThan(objects / 5)
})

it('however many states objects have had, no more of them are expected than there are objects', async () => {
  const everything = resolveFilter(type, { type: 'empty' })
  const [all] = await store.estimateMatches(type, [everything], ['current', 'history'])
  expect(all?.objects).toBeLessThanOrEqual(2.1 * objects)
  expect(all?.states).toBeGreaterThan(0.9 * states.length * objects)
})
