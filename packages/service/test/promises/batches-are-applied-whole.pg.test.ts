import { limits } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { employeeDefinition } from '../support/employee.ts'
import { itemDefinition } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { itemTypes } from '../support/item-types.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { defineType } from '../support/define-type.ts'
import { errorNamed, errorWith } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const { newType, contentsOf } = itemTypes(() => service)

const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0, replayed: false }

it('P130, P131, P134: a batch puts and deletes objects, and its receipt counts them', async () => {
  const objectType = await newType()
  const first = await manage.commit(
    [put({ id: 'a', rank: 1, label: 'A' }), put({ id: 'b', rank: 2 }), put({ id: 'c', rank: 3 })],
    { objectType },
  )
  expect(first).toEqual({ ...counts, version: '1', committedAt: expect.any(String), created: 3 })
  expect(new Date(first.committedAt).getTime()).toBeGreaterThan(Date.now() - 60_000)
  const second = await manage.commit(
    [put({ id: 'a', rank: 1, label: 'A' }), put({ id: 'b' }), remove('c'), remove('nobody')],
    { objectType },
  )
  expect(second).toMatchObject({ version: '2', created: 0, updated: 1, deleted: 1, unchanged: 2 })
  // The whole object is replaced: an absent property has no value afterwards.
  expect(await contentsOf(objectType)).toEqual([{ id: 'a', rank: 1, label: 'A' }, { id: 'b' }])
})

it('P134: an object that is put as it is makes no new state of it', async () => {
  const objectType = await newType()
  await manage.commit([put({ id: 'a', rank: 1 })], { objectType })
  await manage.commit([put({ rank: 1, id: 'a' })], { objectType })
  const type = await service.store.catalog.objectType(service.ontology, objectType)
  const history = await service.store.database.rows({
    text: `select pk from ${type?.tables.history}`,
    values: [],
  })
  expect(history).toEqual([])
})

it.each([
  ['integer', 100, '100', ['0100', '1e2', ' 100', '100.0', '2147483648', true]],
  ['long', 100, '100', ['0100', ' 100', '9223372036854775808', true]],
  ['string', 'true', 'true', [true, 100, null]],
] as const)(
  'P406: a delete names a key of the type %s by its value or its text',
  async (type, value, text, wrong) => {
    const objectType = `by_${type}`
    await service.store.applyObjectType(service.ontology, defineType(objectType, { id: { type } }))
    for (const key of [value, text]) {
      expect(await manage.commit([put({ id: value })], { objectType })).toMatchObject({ created: 1 })
      expect(await manage.commit([remove(key)], { objectType })).toMatchObject({ deleted: 1 })
    }
    for (const key of wrong) {
      expect(await manage.refused([remove(key)], { objectType })).toMatchObject(
        errorNamed('InvalidBatch', { problems: [{ line: 1, property: 'primaryKey' }] }),
      )
    }
  },
)

it('P132: a key that occurs twice: the last line wins', async () => {
  const objectType = await newType()
  const lines = [put({ id: 'a', rank: 1 }), remove('b'), put({ id: 'b', rank: 1 }), put({ id: 'a', rank: 2 })]
  expect(await manage.commit(lines, { objectType })).toMatchObject({ created: 2 })
  expect(await contentsOf(objectType)).toEqual([
    { id: 'a', rank: 2 },
    { id: 'b', rank: 1 },
  ])
})

it('P132, P133: one bad line, and nothing of the batch is applied; the first 20 problems are listed', async () => {
  const objectType = await newType()
  const bad = Array.from({ length: 30 }, (_, i) => put({ id: `x${i}`, rank: 'high' }))
  const refusal = await manage.refused([put({ id: 'a' }), ...bad, put({ id: 'b' })], { objectType })
  expect(refusal).toMatchObject({ status: 400, errorName: 'InvalidBatch' })
  const { problems } = refusal.parameters as { problems: unknown[] }
  expect(problems).toHaveLength(limits.request.batchProblems)
  expect(problems[0]).toEqual({
    line: 2,
    property: 'rank',
    value: 'high',
    problem: 'must be a JSON integer between -2147483648 and 2147483647',
  })
  expect(await contentsOf(objectType)).toEqual([])
})

it('P133: every kind of problem is reported with its line', async () => {
  const objectType = await newType()
  const lines = [
    JSON.stringify(put({ id: 'fine' })),
    '',
    '{ "type": "put"',
    '["put"]',
    JSON.stringify({ type: 'patch' }),
    JSON.stringify({ type: 'put' }),
    JSON.stringify({ ...put({ id: 'a' }), primaryKey: 'a' }),
    JSON.stringify(put({ rank: 1 })),
    JSON.stringify(put({ id: 'a', colour: 'red' })),
    JSON.stringify(put({ id: 'a' }, 'another')),
    JSON.stringify(remove(7)),
    JSON.stringify(put({ id: 'a', label: 'l'.repeat(2_000) })),
  ]
  const { parameters } = await manage.refused(lines.join('\r\n'), { objectType })
  type Problem = Readonly<Record<'line' | 'property' | 'value' | 'problem', unknown>>
  const { problems } = parameters as { problems: readonly Problem[] }
  expect(problems.map(({ line, property, value, problem }) => [line, property, value, problem])).toEqual([
    [
      3,
      undefined,
      undefined,
      `must be JSON (Expected ',' or '}' after property value in JSON at position 16)`,
    ],
    [4, undefined, undefined, 'must be a JSON object'],
    [
      5,
      undefined,
      'patch',
      'must have the field "type", which is "put", "merge" or "delete", or "source" in the first or the last line',
    ],
    [6, undefined, undefined, 'must have the field "properties", which is an object'],
    [7, undefined, 'primaryKey', 'must have no fields other than type, objectType, properties, if'],
    [8, 'id', undefined, 'must have a value'],
    [9, 'colour', 'red', 'is not a property of the type'],
    [10, undefined, 'another', `must be of the type ${objectType}, as in the path: leave "objectType" out`],
    [11, 'primaryKey', 7, 'must be a JSON string'],
    [
      12,
      'label',
      `${'l'.repeat(200)}...`,
      'must be at most 1000 bytes of UTF-8, because pages are ordered by it; this has 2000',
    ],
  ])
})

it('P133: a line that is not UTF-8 is reported as such', async () => {
  const objectType = await newType()
  const bytes = Buffer.concat([
    Buffer.from(`${JSON.stringify(put({ id: 'a' }))}\n{"type":"put","properties":{"id":"`),
    Buffer.from([0xff]),
    Buffer.from('"}}\n'),
  ])
  const { text } = await manage.send(bytes, { objectType })
  expect(JSON.parse(text)).toMatchObject({
    parameters: { problems: [{ line: 2, problem: 'must be UTF-8' }] },
  })
})

it('P130: a batch of several types is one version of all of them', async () => {
  const [one, two] = [await newType(), await newType()]
  await manage.commit([put({ id: 'before' })], { objectType: one })
  const receipt = await manage.commit(
    [put({ id: 'a' }, one), put({ id: 'a' }, two), remove('before', one)],
    {},
  )
  expect(receipt).toMatchObject({ version: '2', created: 2, deleted: 1 })
  expect([await contentsOf(one), await contentsOf(two)]).toEqual([[{ id: 'a' }], [{ id: 'a' }]])
  const versions = await Promise.all(
    [one, two].map(async (type) => (await manage.request('GET', `objectTypes/${type}/statistics`)).json),
  )
  expect(versions).toMatchObject([{ version: '2' }, { version: '2' }])
  const refusal = await manage.refused([put({ id: 'a' }), put({ id: 'a' }, 'nothing')], {})
  expect(refusal).toMatchObject({
    parameters: {
      problems: [
        { line: 1, problem: 'must have the field "objectType", which names an object type' },
        { line: 2, problem: 'must name an object type of the ontology' },
      ],
    },
  })
})

it('P132: a batch too large for one statement is applied whole or not at all as well', async () => {
  const objectType = await newType()
  const label = 'x'.repeat(900)
  const count = 12_000
  const lines = function* lines(last: string): Generator<Uint8Array> {
    for (let i = 0; i < count; i += 1) {
      yield Buffer.from(`${JSON.stringify(put({ id: `i${i}`, rank: i, label }))}\n`)
    }
    yield Buffer.from(last)
  }
  const stream = (last: string) => ReadableStream.from(lines(last))
  const bad = await manage.send(stream('{"type":"put","properties":{}}'), { objectType, key: 'k' })
  expect(JSON.parse(bad.text)).toMatchObject(
    errorNamed('InvalidBatch', {
      problems: [{ line: count + 1, property: 'id', problem: 'must have a value' }],
    }),
  )
  expect(await contentsOf(objectType)).toEqual([])
  const good = await manage.send(stream(JSON.stringify(remove('i7'))), { objectType, key: 'k' })
  expect(JSON.parse(good.text)).toMatchObject({
    version: '1',
    created: count - 1,
    unchanged: 1,
    replayed: false,
  })
  expect(await contentsOf(objectType)).toHaveLength(count - 1)
  const again = await manage.send(stream(JSON.stringify(remove('i7'))), { objectType, key: 'k' })
  expect(JSON.parse(again.text)).toMatchObject({ version: '1', created: count - 1, replayed: true })
  const staged = await service.store.database.rows({
    text: `select count(*) as rows from ${service.ontology.schema}.staged`,
    values: [],
  })
  expect(staged).toEqual([{ rows: '0' }])
})

it('P135: the same key with the same contents is applied once, with other contents refused', async () => {
  const objectType = await newType()
  const lines = [put({ id: 'a', rank: 1 })]
  const first = await manage.commit(lines, { objectType, key: 'load-1' })
  await manage.commit([put({ id: 'a', rank: 2 })], { objectType })
  expect(await manage.commit(lines, { objectType, key: 'load-1' })).toEqual({ ...first, replayed: true })
  expect(await contentsOf(objectType)).toEqual([{ id: 'a', rank: 2 }])
  expect(await manage.refused([put({ id: 'a', rank: 3 })], { objectType, key: 'load-1' })).toEqual(
    errorWith(409, 'IdempotencyKeyConflict', { idempotencyKey: 'load-1' }),
  )
  expect(await manage.refused(lines, { objectType, key: 'k'.repeat(256) })).toMatchObject({
    errorName: 'InvalidParameterValue',
  })
  expect(await manage.commit(lines, { objectType, key: 'k'.repeat(255) })).toMatchObject({ replayed: false })
})

it('P135: a key belongs to the ontology: other contents are refused, whichever types they are for', async () => {
  const [one, two, three] = [await newType(), await newType(), await newType()]
  const conflict = {
    status: 409,
    errorName: 'IdempotencyKeyConflict',
    parameters: { idempotencyKey: 'whole' },
  }
  const first = await manage.commit([put({ id: 'a' }, one)], { key: 'whole' })
  for (const [lines, to] of [
    [[put({ id: 'a' }, two)], {}],
    [[put({ id: 'a' })], { objectType: two }],
    [[put({ id: 'a' })], { objectType: two, kind: 'replace' }],
    [[put({ id: 'a' }, one), put({ id: 'a' }, two)], {}],
    [[put({ id: 'a' }, two), put({ id: 'a' }, three)], {}],
  ] as const) {
    expect(await manage.refused(lines, { ...to, key: 'whole' })).toEqual(conflict)
  }
  expect(await manage.commit([put({ id: 'a' }, one)], { key: 'whole' })).toEqual({ ...first, replayed: true })
  expect([await contentsOf(two), await contentsOf(three)]).toEqual([[], []])
  const several = [put({ id: 'b' }, two), put({ id: 'b' }, three)]
  const second = await manage.commit(several, { key: 'several' })
  expect(await manage.commit(several, { key: 'several' })).toEqual({ ...second, replayed: true })
})

it('P135: of batches for several types that are sent at once with one key, one is applied', async () => {
  const types = await Promise.all(Array.from({ length: 6 }, () => newType()))
  const answers = await Promise.all(
    types.map((type) =>
      manage.send(`${JSON.stringify(put({ id: 'a' }))}\n`, { objectType: type, key: 'race' }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 409, 409, 409, 409, 409,
  ])
})

it('P135: a key sent many times at once is applied once', async () => {
  const objectType = await newType()
  const receipts = await Promise.all(
    Array.from({ length: 8 }, () => manage.commit([put({ id: 'a' })], { objectType, key: 'same' })),
  )
  expect(new Set(receipts.map(({ version }) => version))).toEqual(new Set(['1']))
  expect(receipts.filter(({ replayed }) => !replayed)).toHaveLength(1)
})

it('a batch without a line, in another format, for a type that does not exist, or with a long line is refused', async () => {
  const objectType = await newType()
  expect(await manage.refused('\n\n', { objectType })).toMatchObject({ errorName: 'MissingPostBody' })
  expect(await manage.refused('', { objectType })).toMatchObject({ errorName: 'MissingPostBody' })
  expect(await manage.refused('{}', { objectType: 'nothing' })).toMatchObject({
    errorName: 'ObjectTypeNotFound',
  })
  const json = await manage.request('POST', `objectTypes/${objectType}/batches`, put({ id: 'a' }))
  expect(json).toMatchObject({
    status: 415,
    json: { parameters: { expectedMediaType: 'application/x-ndjson' } },
  })
  const long = JSON.stringify(put({ id: 'a', label: 'x'.repeat(limits.request.batchLineBytes) }))
  expect(await manage.refused(long, { objectType })).toEqual(
    errorWith(413, 'RequestTooLarge', { limit: 'lineBytes', maximum: limits.request.batchLineBytes }),
  )
})

it('P129: a batch is written under the definition that the type has when it is applied', async () => {
  const objectType = await newType()
  await manage.commit([put({ id: 'a', rank: 1 })], { objectType })
  const definition = itemDefinition(objectType)
  // Applied by another process: this service still has the old definition cached.
  await service.store.applyObjectType(service.ontology, {
    ...definition,
    properties: { ...definition.properties, colour: { type: 'string', sortable: true } },
  })
  expect(await manage.commit([put({ id: 'b', rank: 1, colour: 'red' })], { objectType })).toMatchObject({
    created: 1,
  })
})

it('P131: a value comes back as it was written, whatever its type', async () => {
  await service.store.applyObjectType(service.ontology, employeeDefinition)
  const object = {
    employeeId: '"7" ü 🂡',
    fullName: 'Ada\u2028Lovelace\n',
    age: -5,
    salary: '12345678901234567890.123456789',
    badge: '9223372036854775807',
    rating: 1.5e-300,
    hiredAt: '2021-05-01T12:00:00.123456Z',
    birthday: '1815-12-10',
    active: false,
    names: [{ firstName: 'Ada' }, { lastName: 'Byron' }],
    tags: ['a', '', 'b'],
    address: { city: 'London', floor: 3 },
  }
  await manage.commit([put({ ...object, notes: null })], { objectType: 'employee' })
  expect(await contentsOf('employee')).toEqual([object])
})
