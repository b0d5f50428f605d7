import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { manageOverHttp, merge, put, remove } from '../support/manage-over-http.ts'
import { searching } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { walkOverHttp } from '../support/walk-over-http.ts'
import { defineType, inOrder, struct } from '../support/define-type.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)
let made = 0

const definition = (apiName: string, keyType: 'string' | 'long' = 'string') =>
  defineType(
    apiName,
    {
      id: { type: keyType },
      name: 'string required searchable sortable',
      rank: 'integer sortable searchable',
      label: 'string sortable',
      weight: 'double',
      price: 'decimal sortable',
      seenAt: 'timestamp searchable',
      tags: 'string[] searchable',
      address: struct({ city: 'string', street: 'string' }, 'searchable'),
    },
    { titleProperty: 'name', orders: [inOrder('label asc', 'name desc')] },
  )

const newType = async (keyType?: 'string' | 'long'): Promise<string> => {
  const apiName = `merged${(made += 1)}`
  await service.store.applyObjectType(service.ontology, definition(apiName, keyType))
  return apiName
}

const contentsOf = async (objectType: string) =>
  (
    await walkOverHttp(
      service,
      searching,
      { ontologyRid: service.ontology.rid, apiFamily: 'promised', objectType },
      { snapshot: true },
    )
  ).records.map(({ properties }) => properties)

/** The rows themselves: texts and typed columns, without the version. */
const rowsOf = async (objectType: string) => {
  const type = await service.store.catalog.objectType(service.ontology, objectType)
  const rows = await service.store.database
    .holding(type?.schema ?? '')
    .rows({ text: `select * from ${type?.tables.current} order by pk`, values: [] })
  return rows.map((row) => ({ ...row, version_from: '' }))
}

const full = {
  id: 'a',
  name: 'Änne "A"',
  rank: 7,
  weight: 0.1,
  price: '12345678901234567890.10',
  seenAt: '2024-02-29T23:59:59.000001Z',
  tags: ['x', 'y\n'],
  address: { city: 'Ulm', street: 'Neue 1' },
}

it('P207: a merge sets what it names, null removes, everything else stays, as if the whole object had been put', async () => {
  const [merged, whole] = [await newType(), await newType()]
  await manage.commit([put(full), put({ id: 'b', name: 'B' })], { objectType: merged })
  const receipt = await manage.commit(
    [
      merge({ id: 'a', rank: 8, address: null }),
      merge({ id: 'b', name: 'B' }),
      merge({ id: 'c', name: 'C' }),
    ],
    { objectType: merged },
  )
  expect(receipt).toMatchObject({ version: '2', created: 1, updated: 1, unchanged: 1, deleted: 0 })
  const { address: _, ...kept } = full
  const after = [
    { ...kept, rank: 8 },
    { id: 'b', name: 'B' },
    { id: 'c', name: 'C' },
  ]
  expect(await contentsOf(merged)).toEqual(after)
  await manage.commit(
    after.map((each) => put(each)),
    { objectType: whole },
  )
  expect(await rowsOf(merged)).toEqual(await rowsOf(whole))
})

it('P207: keys of another type are found, and large batches with merges in several types are one version', async () => {
  const [longs, texts] = [await newType('long'), await newType()]
  const many = Array.from({ length: 3_000 }, (_, i) => ({ id: String(i + 1), name: `n${i}`, rank: i }))
  await manage.commit(
    many.map((each) => put(each)),
    { objectType: longs },
  )
  const receipt = await manage.commit(
    [
      ...many.map(({ id }) => merge({ id, weight: 1.5 }, longs)),
      put({ id: 'x', name: 'X' }, texts),
      remove('none', texts),
      merge({ id: '1', rank: null }, longs),
    ],
    {},
  )
  expect(receipt).toMatchObject({ created: 1, updated: 3_000, unchanged: 1, deleted: 0 })
  const found = await contentsOf(longs)
  expect(found).toHaveLength(3_000)
  expect(found[0]).toEqual({ id: '1', name: 'n0', weight: 1.5 })
  expect(found[2_999]).toEqual({ id: '3000', name: 'n2999', rank: 2_999, weight: 1.5 })
})

it('P207: an object that does not exist is made if nothing required is missing, else the line is named and nothing changes', async () => {
  const objectType = await newType()
  await manage.commit([put(full)], { objectType })
  const refused = await manage.refused(
    [merge({ id: 'a', rank: 1 }), merge({ id: 'new', rank: 1 }), merge({ id: 'a', name: 'A' })],
    { objectType },
  )
  expect(refused).toMatchObject(
    errorNamed('InvalidBatch', {
      problems: [
        {
          line: 2,
          property: 'name',
          problem:
            'must have a value, because no object with this primary key exists: a new one needs all required properties',
        },
      ],
    }),
  )
  expect(await contentsOf(objectType)).toEqual([full])
  for (const [properties, property] of [
    [{ id: 'a', name: null }, 'name'],
    [{ rank: 1 }, 'id'],
    [{ id: 'a', rank: 'high' }, 'rank'],
    [{ id: 'a', rnk: 1 }, 'rnk'],
  ] as const) {
    expect(await manage.refused([merge(properties)], { objectType })).toMatchObject(
      errorNamed('InvalidBatch', { problems: [{ line: 1, property }] }),
    )
  }
  expect(await manage.refused([merge(full)], { objectType, kind: 'replace' })).toMatchObject({
    errorName: 'InvalidBatch',
  })
  expect(await contentsOf(objectType)).toEqual([full])
})

it('P207: an object that is too large for an order once merged is refused, and nothing stored is repeated', async () => {
  const objectType = await newType()
  const id = 'k'.repeat(1_000)
  await manage.commit([put({ id, name: 'n'.repeat(990) })], { objectType })
  const refused = await manage.refused([merge({ id, label: 'l'.repeat(990) })], { objectType })
  expect(refused).toMatchObject({ errorName: 'InvalidBatch', parameters: { problems: [{ line: 1 }] } })
  expect(JSON.stringify(refused)).not.toContain('nnn')
})

it('P208: lines for one object apply in their order, wherever in the batch they are', async () => {
  const lines = (objectType: string, filler: readonly unknown[]) => [
    merge({ id: 'a', rank: 1 }, objectType),
    put({ id: 'b', name: 'B', rank: 2 }, objectType),
    remove('c', objectType),
    merge({ id: 'd', rank: 4 }, objectType),
    merge({ id: 'e', rank: 5 }, objectType),
    ...filler,
    merge({ id: 'a', weight: 1 }, objectType),
    merge({ id: 'b', weight: 2 }, objectType),
    merge({ id: 'c', name: 'C again' }, objectType),
    merge({ id: 'd', name: 'D' }, objectType),
    put({ id: 'e', name: 'E again' }, objectType),
    ...filler,
    merge({ id: 'a', rank: null }, objectType),
    remove('b', objectType),
  ]
  // With the filler, the lines of an object are in different chunks.
  for (const count of [0, 2_500]) {
    const objectType = await newType()
    const other = await newType()
    const filler = Array.from({ length: count }, (_, i) => put({ id: `f${i}`, name: 'F' }, other))
    await manage.commit([put({ ...full, id: 'a' }), put({ ...full, id: 'c' }), put({ ...full, id: 'e' })], {
      objectType,
    })
    await manage.commit(lines(objectType, filler), {})
    const { rank: _, ...a } = { ...full, weight: 1 }
    expect(await contentsOf(objectType)).toEqual([
      a,
      { id: 'c', name: 'C again' },
      { id: 'd', name: 'D', rank: 4 },
      { id: 'e', name: 'E again' },
    ])
  }
})

it('P208: writers that merge into one object at the same time lose nothing of each other', async () => {
  const objectType = await newType()
  await manage.commit([put({ id: 'a', name: 'A' })], { objectType })
  const properties = [
    { rank: 1 },
    { weight: 2 },
    { price: '3' },
    { seenAt: '2024-01-01T00:00:00Z' },
    { tags: ['t'] },
    { address: { city: 'Ulm' } },
  ]
  for (let round = 0; round < 5; round += 1) {
    await manage.commit([put({ id: 'a', name: 'A' })], { objectType })
    await Promise.all([
      ...properties.map((each) => manage.commit([merge({ id: 'a', ...each })], { objectType })),
      ...properties.map((_, i) => manage.commit([put({ id: `other${i}`, name: 'O' })], { objectType })),
    ])
    expect((await contentsOf(objectType))[0]).toEqual(Object.assign({ id: 'a', name: 'A' }, ...properties))
  }
})

it('P208: a merge with a known key is applied once, even if it would be refused now', async () => {
  const objectType = await newType()
  await manage.commit([put({ id: 'a', name: 'A' })], { objectType })
  const lines = [merge({ id: 'a', rank: 1 })]
  const first = await manage.commit(lines, { objectType, key: 'merged' })
  await manage.commit([remove('a')], { objectType })
  expect(await manage.commit(lines, { objectType, key: 'merged' })).toEqual({ ...first, replayed: true })
  expect(await contentsOf(objectType)).toEqual([])
  expect(await manage.refused([merge({ id: 'a', rank: 2 })], { objectType, key: 'merged' })).toMatchObject({
    errorName: 'IdempotencyKeyConflict',
  })
})
