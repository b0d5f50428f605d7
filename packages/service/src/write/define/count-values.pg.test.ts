// How many objects have each value is found for types that had objects before it was declared, and after a load, while others write.
import type { ObjectTypeDefinition, PropertyDefinition } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { columnOf, type ObjectType } from '../../catalog/object-type.ts'
import { putItems } from '../../../test/support/load-items.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { gatherRows } from '../bulk/load-rows.ts'
import { countValues } from './count-values.ts'
import { withStore } from '../../../test/support/with-store.ts'
import { defineType } from '../../../test/support/define-type.ts'

const { store, ontology } = withStore()

const typeNamed = (
  apiName: string,
  team: Partial<PropertyDefinition>,
  more: ObjectTypeDefinition['properties'] = {},
) =>
  store.applyObjectType(
    ontology,
    defineType(apiName, { id: 'integer', team: { type: 'string', ...team }, ...more }),
  )

const some = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ id: from + i, team: `t${(from + i) % 3}` }))

const rows = (text: string) => store.database.rows({ text, values: [] })

/** Undefined if they are not known. */
async function countsOf(type: ObjectType, property = 'team') {
  const [clock] = await rows(
    `select coalesce(counts_from, -1) >= 0 as known from ${type.tables.clock} where object_type = ${type.id}`,
  )
  if (clock?.['known'] !== 't') return undefined
  const counted = await rows(
    `select value, objects from ${type.tables.counts} where objects <> 0 and column_name = '${columnOf(type, property)?.name}' order by value`,
  )
  return Object.fromEntries(counted.map(({ value, objects }) => [value, Number(objects)]))
}

it('a property that is counted later is counted from its first object on, also if it had no column', async () => {
  for (const [apiName, before] of [
    ['indexed', { searchable: true }],
    ['plain', {}],
  ] as const) {
    await putItems(store, await typeNamed(apiName, before), some(10))
    const type = await typeNamed(apiName, { ...before, counted: true })
    expect(await countsOf(type)).toEqual({ t0: 4, t1: 3, t2: 3 })
    await putItems(store, type, [{ id: 0, team: 't9' }, { id: 1 }])
    expect(await countsOf(type)).toEqual({ t0: 3, t1: 2, t2: 3, t9: 1 })
    // Nothing is kept of a property that is no longer counted, and everything is right when it is counted again.
    const without = await typeNamed(apiName, before)
    await putItems(store, without, some(2))
    expect(await countsOf(await typeNamed(apiName, { ...before, counted: true }))).toEqual({
      t0: 4,
      t1: 3,
      t2: 3,
    })
  }
})

it('a second property is counted while the first one stays right', async () => {
  const kind = { type: 'boolean' } as const
  const before = await typeNamed('second', { counted: true }, { kind })
  await putItems(
    store,
    before,
    some(6).map((item, i) => ({ ...item, kind: i < 2 })),
  )
  const type = await typeNamed('second', { counted: true }, { kind: { ...kind, counted: true } })
  expect(await countsOf(type)).toEqual({ t0: 2, t1: 2, t2: 2 })
  expect(await countsOf(type, 'kind')).toEqual({ false: 4, true: 2 })
})

it('commits made while objects are counted are counted once', async () => {
  await putItems(store, await typeNamed('busy', {}), some(3_000))
  let committed = 3_000
  const counting = new AbortController()
  const writing = (async () => {
    while (!counting.signal.aborted) {
      const type = await store.catalog.objectType(ontology, 'busy')
      if (type === undefined) throw new Error('no type')
      // A definition that has changed meanwhile is read again, as requests do it.
      await store.catalog.withFreshType(ontology, type, async (fresh) => {
        await store.commit({
          parts: [{ type: fresh, changes: some(2, committed).map((item) => putObject(fresh, item)) }],
        })
      })
      committed += 2
    }
  })()
  const type = await typeNamed('busy', { counted: true })
  for (let i = 0; i < 5; i += 1) {
    await rows(`update ${type.tables.clock} set counts_from = null where object_type = ${type.id}`)
    await countValues(store.database.holding(type.schema), type)
  }
  counting.abort()
  await writing
  const counted: readonly number[] = Object.values((await countsOf(type)) ?? {})
  expect(committed).toBeGreaterThan(3_000)
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(committed)
})

it('a load that becomes the table counts its values, and one that replaces its objects counts what changes', async () => {
  const type = await typeNamed('loaded', { counted: true })
  const load = await store.loads.begin(type, { replaces: false })
  const changes = some(9).map((item) => putObject(type, item))
  await store.loads.addPart(type, load, {
    part: '1',
    digest: '1',
    ...(await gatherRows([{ type, changes }])),
  })
  const steps: string[] = []
  const afterStep = async (step: string) => void steps.push(step)
  await store.loads.finish({ type, load, afterStep })
  expect(steps).toContain('recorded')
  expect(await countsOf(type)).toEqual({ t0: 3, t1: 3, t2: 3 })
  const again = await store.loads.begin(type, { replaces: true })
  const others = some(9, 100).map((item) => putObject(type, { ...item, team: 'new' }))
  const part = { part: '1', digest: '1', ...(await gatherRows([{ type, changes: others }])) }
  await store.loads.addPart(type, again, part)
  const maxDeletions = { kind: 'percent', percent: 100 } as const
  await store.loads.finish({ type, load: again, maxDeletions })
  expect(await countsOf(type)).toEqual({ new: 9 })
  await putItems(store, type, some(3))
  expect(await countsOf(type)).toEqual({ new: 9, t0: 1, t1: 1, t2: 1 })
})
