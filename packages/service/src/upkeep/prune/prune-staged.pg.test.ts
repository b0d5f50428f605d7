import { forEachTest } from '@octavo/dev-database/vitest'
import { beforeEach, expect, it } from 'vitest'
import type { TypeChanges } from '../../write/commit/change.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { withStore, nextOntology } from '../../../test/support/with-store.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { pruneStaged } from './prune-staged.ts'

const { store } = withStore()
const ontology = forEachTest(() => nextOntology(store))
let type: ObjectType
beforeEach(async () => {
  type = await store.applyObjectType(ontology, employeeDefinition)
})

const rows = (text: string) => store.database.rows({ text, values: [] })
const count = async (table: string) => Number((await rows(`select count(*) as n from ${table}`))[0]?.['n'])
const left = async () => [await count(type.tables.staged), await count(`${type.schema}.staged_batches`)]
const putting = (keys: readonly string[]): TypeChanges => ({
  type,
  changes: keys.map((employeeId) => putObject(type, { employeeId, badge: '1' })),
})

/** Stages a batch, and runs `meanwhile` once its first chunk is staged. */
const stageAround = (meanwhile: () => Promise<unknown>) => {
  async function* chunks(): AsyncGenerator<TypeChanges> {
    yield putting(Array.from({ length: 2_500 }, (_, i) => `k${i}`))
    await meanwhile()
    yield putting(['last'])
  }
  return store.stage({ chunks: chunks() })
}

it('a batch that began too long ago is given up: its client is told, and none of it is applied', async () => {
  const staging = stageAround(async () => {
    expect(await left()).toEqual([2_500, 1])
    expect(await pruneStaged(store.database, ontology, 0)).toBe(2_500)
  })
  await expect(staging).rejects.toMatchObject({ errorName: 'BatchTimedOut' })
  expect(await left()).toEqual([0, 0])
  expect(await count(type.tables.current)).toBe(0)
})

it('one that is under way is left alone', async () => {
  const receipt = await stageAround(async () => {
    expect(await pruneStaged(store.database, ontology, 3_600)).toBe(0)
  })
  expect(receipt).toMatchObject({ created: 2_501 })
  expect(await left()).toEqual([0, 0])
})

it('one that is being applied is left alone, however long ago it began', async () => {
  const staging = await store.database.transaction(async (transaction) => {
    await transaction.rows({ text: `select 1 from ${type.tables.clock} for update`, values: [] })
    const begun = stageAround(async () => {})
    // The batch has taken its name, and waits for the clock, on the node that holds it.
    const waiting = {
      text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      values: [],
    }
    await expect
      .poll(async () => (await store.database.holding(type.schema).rows(waiting)).length)
      .toBeGreaterThan(0)
    expect(await pruneStaged(store.database, ontology, 0)).toBe(0)
    return { receipt: () => begun }
  })
  expect(await staging.receipt()).toMatchObject({ created: 2_501 })
})

it('rows of an unknown batch are deleted, even if they arrive after their batch was given up', async () => {
  await rows(`insert into ${type.tables.staged} (batch, ordinal, pk, deleted)
select 'lost.1', i, 'k' || i, true from generate_series(1, 4500) as i`)
  await rows(
    `insert into ${type.tables.staged} (batch, ordinal, pk, deleted) values ('lost.2', 1, 'k', true)`,
  )
  expect(await pruneStaged(store.database, ontology, 3_600)).toBe(4_501)
  expect(await left()).toEqual([0, 0])
})
