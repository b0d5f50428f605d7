import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import { itemTypes } from '../support/item-types.ts'
import { manageOverHttp, merge, put, remove } from '../support/manage-over-http.ts'
import { errorNamed } from '../support/named-errors.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)
const { newType, contentsOf } = itemTypes(() => service)

const where = (line: object, condition: object) => ({ ...line, if: condition })
const exists = { exists: true }
const absent = { exists: false }

async function checksumOf(objectType: string, key: string): Promise<string> {
  const response = await service.fetch(`/api/promised/v1/objects/types/${objectType}/objects/${key}`)
  return ((await response.json()) as { checksum: string }).checksum
}

const notMet = (...problems: readonly object[]) => errorNamed('ConditionNotMet', { problems })

describe('P444: a line is applied only if its object is what it says', () => {
  it.each([
    ['a put that creates', put({ id: 'new' }), absent],
    ['a put that replaces', put({ id: 'a', rank: 2 }), exists],
    ['a merge into what is there', merge({ id: 'a', rank: 2 }), exists],
    ['a merge that creates', merge({ id: 'new' }), absent],
    ['a delete of what is there', remove('a'), exists],
  ])('%s', async (_name, line, condition) => {
    const objectType = await newType()
    await manage.commit([put({ id: 'a', rank: 1 })], { objectType })
    expect(await manage.commit([where(line, condition)], { objectType })).toMatchObject({ version: '2' })
  })

  it.each([
    ['a put that creates', put({ id: 'a', rank: 9 }), absent, 'exists'],
    ['a put that replaces', put({ id: 'new' }), exists, 'doesNotExist'],
    ['a merge into what is there', merge({ id: 'new' }), exists, 'doesNotExist'],
    ['a merge that creates', merge({ id: 'a', rank: 9 }), absent, 'exists'],
    ['a delete of what is there', remove('new'), exists, 'doesNotExist'],
    ['a put of what was read', put({ id: 'a', rank: 9 }), { checksum: '0123456789abcdef' }, 'hasChanged'],
    [
      'a put of what was read and is gone',
      put({ id: 'new' }),
      { checksum: 'f123456789abcdef' },
      'doesNotExist',
    ],
  ])('%s is refused with all of its batch', async (_name, line, condition, problem) => {
    const objectType = await newType()
    await manage.commit([put({ id: 'a', rank: 1 })], { objectType })
    const lines = [put({ id: 'other' }), where(line, condition)]
    const primaryKey = 'primaryKey' in line ? line.primaryKey : (line.properties as { id: string }).id
    const refusal = await manage.refused(lines, { objectType })
    expect(refusal).toMatchObject(notMet({ line: 2, objectType, primaryKey, problem }))
    expect(refusal.status).toBe(409)
    expect(await contentsOf(objectType)).toEqual([{ id: 'a', rank: 1 }])
  })

  it('with the checksum that was read, the second of two forms is refused', async () => {
    const objectType = await newType()
    await manage.commit([put({ id: 'a', rank: 1, label: 'ä "1"' })], { objectType })
    const checksum = await checksumOf(objectType, 'a')
    await manage.commit([where(merge({ id: 'a', rank: 2 }), { checksum })], { objectType })
    expect(
      await manage.refused([where(merge({ id: 'a', label: 'B' }), { checksum })], { objectType }),
    ).toMatchObject(notMet({ line: 1, objectType, primaryKey: 'a', problem: 'hasChanged' }))
    expect(await contentsOf(objectType)).toEqual([{ id: 'a', rank: 2, label: 'ä "1"' }])
  })

  it('of many that send at the same time, one creates', async () => {
    const objectType = await newType()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        manage.send(JSON.stringify(where(put({ id: 'one', rank: i }), absent)), { objectType }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(7).fill(409),
    ])
  })

  it('what the batch itself does before the line does not count', async () => {
    const objectType = await newType()
    const lines = [put({ id: 'a', rank: 1 }), where(merge({ id: 'a', rank: 2 }), absent)]
    await manage.commit(lines, { objectType })
    expect(await contentsOf(objectType)).toEqual([{ id: 'a', rank: 2 }])
    expect(await manage.refused(lines, { objectType })).toMatchObject(
      notMet({ line: 2, objectType, primaryKey: 'a', problem: 'exists' }),
    )
  })

  it('in a batch of several types, in a replacement and in a dry run', async () => {
    const [one, other] = [await newType(), await newType()]
    await manage.commit([put({ id: 'a' })], { objectType: one })
    const several = [where(put({ id: 'a', rank: 1 }, one), exists), where(put({ id: 'a' }, other), exists)]
    expect(await manage.refused(several, {})).toMatchObject(
      notMet({ line: 2, objectType: other, primaryKey: 'a', problem: 'doesNotExist' }),
    )
    const replacing = { objectType: one, kind: 'replace', maxDeletions: '1' } as const
    expect(await manage.refused([where(put({ id: 'b' }), exists)], replacing)).toMatchObject(
      notMet({ line: 1, problem: 'doesNotExist' }),
    )
    const dry = await manage.send(
      JSON.stringify(where(put({ id: 'b' }), exists)),
      { objectType: one },
      { dryRun: true },
    )
    expect(dry.status).toBe(409)
    expect(await contentsOf(one)).toEqual([{ id: 'a' }])
  })

  it('and a batch that was applied before gets its receipt, although its conditions no longer hold', async () => {
    const objectType = await newType()
    const lines = [where(put({ id: 'a' }), absent)]
    const first = await manage.commit(lines, { objectType, key: 'once' })
    expect(await manage.commit(lines, { objectType, key: 'once' })).toEqual({ ...first, replayed: true })
    const source = { type: 'source', name: 'conditional', order: 'integer', position: '1' }
    const moved = await manage.commit([source, where(put({ id: 'b' }), absent)], { objectType })
    expect(await manage.commit([source, where(put({ id: 'b' }), absent)], { objectType })).toEqual({
      ...moved,
      replayed: true,
    })
  })

  it('in so many lines as a batch has, of which the first 20 are named', async () => {
    const objectType = await newType()
    await manage.commit([put({ id: 'x7' })], { objectType })
    const lines = Array.from({ length: 3_000 }, (_, i) => where(put({ id: `x${i}` }), absent))
    expect(await manage.refused(lines, { objectType })).toMatchObject(
      notMet({ line: 8, objectType, primaryKey: 'x7', problem: 'exists' }),
    )
    const refusal = await manage.refused(
      lines.map((line) => ({ ...line, if: exists })),
      { objectType },
    )
    expect((refusal.parameters as { problems: { line: number }[] }).problems.map(({ line }) => line)).toEqual(
      Array.from({ length: 21 }, (_, i) => i + 1).filter((line) => line !== 8),
    )
    const staged = await service.store.database.rows({
      text: `select count(*) as left from ${service.ontology.schema}.staged`,
      values: [],
    })
    expect(staged).toEqual([{ left: '0' }])
  })
})

it.each([
  ['two things at once', { exists: true, checksum: '0123456789abcdef' }],
  ['nothing', {}],
  ['another word', { version: '3' }],
  ['no checksum', { checksum: 'abc' }],
  ['a text', 'exists'],
])('P444: a condition that says %s is refused as it is read', async (_name, condition) => {
  const objectType = await newType()
  expect(await manage.refused([where(put({ id: 'a' }), condition as object)], { objectType })).toMatchObject(
    errorNamed('InvalidBatch', { problems: [{ line: 1, property: 'if' }] }),
  )
})
