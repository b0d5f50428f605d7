import { seededRandom } from '@octavo/model'
import { describe, expect, it } from 'vitest'
import { countedColumns } from '../../catalog/counts.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { putObject } from '../../../test/support/put-object.ts'
import type { Change } from './change.ts'
import { withStore } from '../../../test/support/with-store.ts'
import { defineType } from '../../../test/support/define-type.ts'

const { store, ontology } = withStore()

const definition = defineType('counted', {
  id: 'integer',
  name: 'string counted',
  good: 'boolean counted',
  small: 'integer counted searchable',
  large: 'long counted sortable',
  other: 'string searchable',
})

/** The counts that commits have kept, and those of the objects, both in the order of columns and values. */
async function countsOf(type: ObjectType) {
  const rows = async (text: string) =>
    (await store.database.holding(type.schema).rows({ text, values: [] })).map((row) =>
      Object.values(row).join(' '),
    )
  const kept = await rows(
    `select column_name, value, objects from ${type.tables.counts} where objects <> 0 order by column_name, value`,
  )
  const found: string[] = []
  for (const { name } of countedColumns(type)) {
    found.push(
      ...(await rows(
        `select '${name}', ${name}::text collate "C" as value, count(*) from ${type.tables.current} where ${name} is not null group by value order by value`,
      )),
    )
  }
  const [clock] = await rows(
    `select coalesce(counts_from, -1) >= 0 from ${type.tables.clock} where object_type = ${type.id}`,
  )
  return { kept, found: found.toSorted(byColumn), isKnown: clock === 't' }
}
/** As the database orders the names of columns: p10 comes before p2. */
const byColumn = (a: string, b: string): number => {
  const [one = '', other = ''] = [a.split(' ')[0], b.split(' ')[0]]
  return one < other ? -1 : one > other ? 1 : 0
}

const random = seededRandom(7)
const generate = (type: ObjectType, id: number): Change => {
  if (random.chance(0.2)) return { kind: 'delete', key: String(id) }
  return putObject(type, {
    id,
    ...(random.chance(0.8) && { name: random.pick(['a', 'b', 'ä', '', "it's", 'B']) }),
    ...(random.chance(0.8) && { good: random.chance(0.5) }),
    ...(random.chance(0.8) && { small: random.integer(-2, 2) }),
    ...(random.chance(0.8) && { large: String(random.integer(-2, 2)) }),
    other: random.pick(['x', 'y']),
  })
}
const batch = (type: ObjectType): readonly Change[] =>
  [...new Set(Array.from({ length: 12 }, () => random.integer(0, 30)))].map((id) => generate(type, id))

describe.each<[string, (type: ObjectType) => Promise<unknown>]>([
  ['a commit', (type) => store.commit({ parts: [{ type, changes: batch(type) }] })],
  [
    'commits that go together',
    (type) => Promise.all([1, 2, 3].map(() => store.commit({ parts: [{ type, changes: batch(type) }] }))),
  ],
  ['a staged commit', (type) => store.stage({ chunks: [{ type, changes: batch(type) }] })],
  [
    'a replacement',
    (type) =>
      store.stage({
        chunks: [{ type, changes: batch(type).filter(({ kind }) => kind === 'put') }],
        replaces: type,
      }),
  ],
  [
    'a merge',
    (type) =>
      store.stage({
        chunks: [
          {
            type,
            changes: [3, 4, 5].map((id, line) => ({
              kind: 'merge',
              key: String(id),
              properties: JSON.stringify({
                id,
                small: random.integer(-2, 2),
                name: random.pick(['a', null]),
              }),
              line,
            })),
          },
        ],
      }),
  ],
])('%s', (way, write) => {
  it('keeps how many objects have each value', async () => {
    const type = await store.applyObjectType(ontology, {
      ...definition,
      apiName: `counted.${way.replaceAll(' ', '')}`,
    })
    await store.commit({ parts: [{ type, changes: batch(type) }] })
    for (let i = 0; i < 12; i += 1) {
      await write(type)
      const { kept, found, isKnown } = await countsOf(type)
      expect(kept).toEqual(found)
      expect(isKnown).toBe(true)
      expect(found.length).toBeGreaterThan(3)
    }
  })
})
