import { declaredOrder, expectedOrder } from '@octavo/model'
import { primaryKeyTypes, scalarTypes, type PrimaryKeyType } from '@octavo/protocol'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ObjectType } from '../../../catalog/object-type.ts'
import type { OrderByKey } from '../../request/page-request.ts'
import type { PointInTime } from '../../plan/page-plan.ts'
import { objectRidStart } from '../../sql/record-text.ts'
import { nastyKeys, nastyValues } from '../../../../test/support/nasty-values.ts'
import { putObject } from '../../../../test/support/put-object.ts'
import { readWalk } from '../../../../test/support/read-walk.ts'
import { snapshotAt } from '../../../../test/support/snapshot-at.ts'
import { withStore } from '../../../../test/support/with-store.ts'
import { defineType, struct, structs } from '../../../../test/support/define-type.ts'

type Properties = Record<string, unknown>

const asc = (property: string): OrderByKey => ({ property, direction: 'asc' })
const desc = (property: string): OrderByKey => ({ property, direction: 'desc' })

const declared: [OrderByKey, OrderByKey, ...OrderByKey[]][] = [
  [asc('string'), desc('integer')],
  [desc('boolean'), asc('timestamp'), desc('decimal')],
  [desc('double'), desc('long')],
  [asc('date'), desc('id')],
]

const definitionWith = (keyType: PrimaryKeyType, apiName: string) =>
  defineType(
    apiName,
    {
      id: { type: keyType },
      ...Object.fromEntries(scalarTypes.map((type) => [type, { type, sortable: true }])),
      plain: 'string',
      texts: 'string[] searchable',
      doubles: 'double[] searchable',
      place: struct({ text: 'string', at: 'timestamp', size: 'decimal' }, 'searchable'),
      places: structs({ text: 'string', long: 'long' }, 'searchable'),
    },
    { titleProperty: 'string', orders: declared.map((keys) => declaredOrder(...keys)) },
  )

const objectsWith = (keyType: PrimaryKeyType): fc.Arbitrary<Properties[]> => {
  const absent = { requiredKeys: [] }
  const values = nastyValues
  const scalars = Object.fromEntries(
    scalarTypes.map((type) => [type, fc.option(values[type] as fc.Arbitrary<unknown>, { freq: 3 })]),
  )
  const object: fc.Arbitrary<Properties> = fc.record({
    id: nastyKeys[keyType] as fc.Arbitrary<unknown>,
    ...scalars,
    plain: fc.option(values.string),
    texts: fc.option(fc.array(values.string, { maxLength: 3 })),
    doubles: fc.option(fc.array(values.double, { maxLength: 3 })),
    place: fc.option(fc.record({ text: values.string, at: values.timestamp, size: values.decimal }, absent)),
    places: fc.option(
      fc.array(fc.record({ text: values.string, long: values.long }, absent), { maxLength: 2 }),
    ),
  })
  // Some objects are equal in all but their key, so that only the tie-breaker orders them.
  return fc
    .uniqueArray(object, { selector: ({ id }) => id, minLength: 14, maxLength: 18 })
    .map((objects) => objects.map((each, i) => (i % 4 === 1 ? { ...objects[i - 1], id: each['id'] } : each)))
}

const { store, ontology } = withStore()

/** What a page should contain of the object: every property that has a value. */
const served = (object: Properties, type: ObjectType, record: '1.0' | '2.0') => {
  const properties = Object.fromEntries(
    Object.entries(object).filter(([name, value]) => {
      const scalar = typeof type.definition.properties[name]?.type === 'string'
      return value !== null && (record === '2.0' || scalar)
    }),
  )
  const key = String(object['id'])
  if (record === '1.0') return { properties, rid: `${objectRidStart(type)}${hexOf(key, type)}` }
  const title = object['string']
  return { primaryKey: key, objectType: type.apiName, properties, ...(title === null ? {} : { title }) }
}
const hexOf = (key: string, type: ObjectType) =>
  Buffer.from(type.key.scalar === 'timestamp' ? key.replace('T', ' ').replace('Z', '') : key).toString('hex')

async function checkEveryOrder(
  type: ObjectType,
  objects: readonly Properties[],
  at: PointInTime,
): Promise<number> {
  const orders: OrderByKey[][] = [[], [asc('id')], [desc('id')], ...declared]
  for (const property of scalarTypes) orders.push([asc(property)], [desc(property)])
  const sizes = [1, 2, 7, objects.length, objects.length + 1, 1000]
  const walks = orders.flatMap((order, i) =>
    sizes.map(async (pageSize, j) => {
      const record = (i + j) % 2 === 0 ? '2.0' : '1.0'
      const expected = objects.toSorted(expectedOrder(type.definition, order))
      const walk = await readWalk({
        readPage: store.readPage,
        type,
        order,
        pageSize: () => pageSize,
        at,
        record,
      })
      // Includes the order and the size, so that a failure says which walk it was.
      expect({ order, pageSize, ids: walk.objects.map(({ properties }) => properties['id']) }).toEqual({
        order,
        pageSize,
        ids: expected.map((each) => each['id']),
      })
      expect(walk.objects).toEqual(expected.map((each) => served(each, type, record)))
      expect(walk.pages.slice(0, -1).every((page) => page.objects === pageSize)).toBe(true)
    }),
  )
  await Promise.all(walks)
  return walks.length
}

it.each(primaryKeyTypes)(
  'with a key of type %s every value comes back exactly, once, in every order and page size, latest and at a version',
  async (keyType) => {
    let made = 0
    let walks = 0
    const both = fc.tuple(objectsWith(keyType), objectsWith(keyType))
    await fc.assert(
      fc.asyncProperty(both, async ([before, more]) => {
        made += 1
        const type = await store.applyObjectType(ontology, definitionWith(keyType, `${keyType}-${made}`))
        await store.commit({ parts: [{ type, changes: before.map((object) => putObject(type, object)) }] })
        // Some objects stay, some change, some are deleted, some are new.
        const after = new Map(before.map((object) => [object['id'], object]))
        for (const [i, { id }] of before.entries()) {
          if (i % 3 === 1) after.set(id, { ...more[i % more.length], id })
          if (i % 3 === 2) after.delete(id)
        }
        for (const object of more.slice(7)) after.set(object['id'], object)
        const gone = before.filter(({ id }) => !after.has(id))
        await store.commit({
          parts: [
            {
              type,
              changes: [
                ...[...after.values()].map((object) => putObject(type, object)),
                ...gone.map((object) => {
                  const put = putObject(type, object)
                  return { kind: 'delete', key: put.kind === 'put' ? put.object.key : '' } as const
                }),
              ],
            },
          ],
        })
        walks += await checkEveryOrder(type, before, await snapshotAt(store, type, '1'))
        walks += await checkEveryOrder(type, [...after.values()], { kind: 'latest' })
      }),
      // A failing case is reported with its seed. Shrinking is off because each smaller case would need a new type.
      { numRuns: 1, endOnFailure: true },
    )
    expect(walks).toBeGreaterThan(250)
  },
)

it('what is put through the staging table comes back the same as what is put directly', async () => {
  for (const keyType of primaryKeyTypes) {
    const objects = fc.sample(objectsWith(keyType), { numRuns: 3 })[0] ?? []
    const direct = await store.applyObjectType(ontology, definitionWith(keyType, `direct-${keyType}`))
    const staged = await store.applyObjectType(ontology, definitionWith(keyType, `staged-${keyType}`))
    const changes = objects.map((object) => putObject(direct, object))
    await store.commit({ parts: [{ type: direct, changes }] })
    await store.stage({
      chunks: [changes.slice(0, 5), changes.slice(5)].map((some) => ({ type: staged, changes: some })),
    })
    const rowsOf = async ({ tables }: ObjectType) =>
      store.database.rows({ text: `select * from ${tables.current} order by pk`, values: [] })
    expect(await rowsOf(staged)).toEqual(await rowsOf(direct))
  }
})

it('nothing is lost when a type has as many columns as it may have', async () => {
  // Each property needs two columns: its values and their terms.
  const names = Array.from({ length: 200 }, (_, i) => `p${i}`)
  const type = await store.applyObjectType(
    ontology,
    defineType('wide', {
      id: 'long',
      ...Object.fromEntries(
        names.map((name) => [name, { type: { array: 'string' } as const, searchable: true }]),
      ),
    }),
  )
  const object = { id: '1', ...Object.fromEntries(names.map((name, i) => [name, [`${i}`.repeat(20)]])) }
  await store.commit({ parts: [{ type, changes: [putObject(type, object)] }] })
  await store.stage({ chunks: [{ type, changes: [putObject(type, { ...object, id: '2' })] }] })
  const walk = await readWalk({ readPage: store.readPage, type, pageSize: () => 1 })
  expect(walk.objects.map(({ properties }) => properties)).toEqual([object, { ...object, id: '2' }])
})

/** Random, so that PostgreSQL cannot compress it. */
const randomText = (bytes: number) =>
  Array.from({ length: bytes }, () => String.fromCodePoint(33 + Math.floor(Math.random() * 90))).join('')

it('an order by several long strings and a long key has room in its index, or the object is refused', async () => {
  const type = await store.applyObjectType(
    ontology,
    defineType(
      'long-strings',
      { id: 'string', a: 'string sortable', b: 'string sortable', c: 'string' },
      { orders: [declaredOrder(asc('a'), asc('b'), desc('c'))] },
    ),
  )
  const write = async (sizes: readonly number[]) => {
    const [id, a, b, c] = sizes.map(randomText)
    await store.commit({ parts: [{ type, changes: [putObject(type, { id, a, b, c })] }] })
  }
  await write([1024, 1000, 500, 76])
  await expect(write([1024, 1000, 1000, 1000])).rejects.toThrow('together')
  await expect(write([1024, 1000, 577, 0])).rejects.toThrow('2600 bytes')
})
