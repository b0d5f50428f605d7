import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import { itemTypes } from '../support/item-types.ts'
import { manageOverHttp, merge, put, remove } from '../support/manage-over-http.ts'
import { errorNamed } from '../support/named-errors.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)
const { newType, contentsOf } = itemTypes(() => service)

const source = (name: string, position: string, previousPosition?: string, more: object = {}) => ({
  type: 'source',
  name,
  position,
  ...(previousPosition === undefined ? { order: 'integer' } : { previousPosition }),
  ...more,
})
const stored = async (name: string) => (await manage.request('GET', `sources/${name}`)).json
const rows = (text: string) => service.store.database.rows({ text, values: [] })

describe('P435: a batch moves its source from one position to the next', () => {
  it('with the objects, in the first line or in the last', async () => {
    const objectType = await newType()
    const first = await manage.commit([source('s1', '10'), put({ id: 'a', rank: 1 })], { objectType })
    expect(first).toMatchObject({
      version: '1',
      created: 1,
      replayed: false,
      source: { name: 's1', generation: 1, position: '10' },
    })
    const second = await manage.commit([remove('a'), source('s1', '12', '10')], { objectType })
    expect(second).toMatchObject({ version: '2', deleted: 1, source: { position: '12' } })
    expect(await stored('s1')).toEqual({
      name: 's1',
      generation: 1,
      position: '12',
      order: 'integer',
      movedAt: second.committedAt,
      version: '2',
    })
  })

  it.each([
    ['a merge', [merge({ id: 'a', rank: 2 })]],
    ['many objects', Array.from({ length: 10_001 }, (_, i) => put({ id: `x${i}`, rank: i }))],
  ])('also with %s, and with objects of two types in one version', async (name, lines) => {
    const [objectType, other] = [await newType(), await newType()]
    const of = `way ${name}`.replaceAll(' ', '-')
    await manage.commit([source(of, '1'), put({ id: 'a', rank: 1 })], { objectType })
    await manage.commit([...lines, source(of, '2', '1')], { objectType })
    const both = [...lines, put({ id: 'b' })].map((line, i) => ({
      ...line,
      objectType: i === 0 ? other : objectType,
    }))
    const receipt = await manage.commit([source(of, '3', '2'), ...both], {})
    expect(receipt).toMatchObject({ source: { position: '3' } })
    expect(await stored(of)).toMatchObject({ position: '3', version: receipt.version })
    const counts = await rows(
      `select created, updated, unchanged from ${service.ontology.schema}.sources where name = '${of}'`,
    )
    expect(counts).toEqual([
      {
        created: String(receipt.created),
        updated: String(receipt.updated),
        unchanged: String(receipt.unchanged),
      },
    ])
  })

  it('with a replacement', async () => {
    const objectType = await newType()
    await manage.commit([source('nightly', '1'), put({ id: 'a' })], { objectType })
    await manage.commit([source('nightly', '2', '1'), put({ id: 'b' })], {
      objectType,
      kind: 'replace',
      maxDeletions: '1',
    })
    expect(await contentsOf(objectType)).toEqual([{ id: 'b' }])
    expect(await stored('nightly')).toMatchObject({ position: '2', version: '2' })
  })

  it('and nothing moves where a batch is refused, or only looked at', async () => {
    const objectType = await newType()
    await manage.commit([source('still', '1'), put({ id: 'a' })], { objectType })
    await manage.refused([source('still', '2', '1'), put({ id: 'b', rank: 'high' })], { objectType })
    await manage.preview([source('still', '2', '1'), put({ id: 'b' })], { objectType })
    expect(await stored('still')).toMatchObject({ position: '1' })
  })
})

describe('P436: a source is applied in order, each position once', () => {
  it('the same batch again gets the first receipt, however late', async () => {
    const objectType = await newType()
    const lines = [source('again', '1'), put({ id: 'a', rank: 1 })]
    const first = await manage.commit(lines, { objectType })
    // Longer than idempotency keys and commits are kept.
    await rows(`delete from ${service.ontology.schema}.commits where source = 'again'`)
    expect(await manage.commit(lines, { objectType })).toEqual({ ...first, replayed: true })
    const next = [source('again', '2', '1'), put({ id: 'a', rank: 2 })]
    const second = await manage.commit(next, { objectType, key: 'k2' })
    expect(await manage.commit(next, { objectType, key: 'k2' })).toEqual({ ...second, replayed: true })
    expect(await manage.commit(next, { objectType })).toEqual({ ...second, replayed: true })
  })

  it.each([
    ['begins again', source('step', '9'), 'alreadyBegun'],
    ['begins earlier', source('step', '9', '3'), 'otherPosition'],
    ['begins later', source('step', '9', '6'), 'otherPosition'],
    ['repeats a position with other lines', source('step', '5', '3'), 'otherContents'],
    ['is of an earlier generation', source('step', '9', '5', { generation: 1 }), 'otherPosition'],
  ])('a batch that %s is refused, and learns where the source is', async (_name, line, reason) => {
    const objectType = await newType()
    if ((await manage.request('GET', 'sources/step')).status === 404) {
      await manage.commit([source('step', '3', undefined, { generation: 2 }), put({ id: 'a' })], {
        objectType,
      })
      await manage.commit([source('step', '5', '3', { generation: 2 }), put({ id: 'a', rank: 1 })], {
        objectType,
      })
    }
    const given = { generation: 2, ...line }
    const refusal = await manage.refused([given, put({ id: 'b' })], { objectType })
    expect(refusal).toMatchObject(
      errorNamed('SourceOutOfStep', {
        source: 'step',
        reason,
        stored: { name: 'step', generation: 2, position: '5' },
      }),
    )
    expect(refusal.status).toBe(409)
    expect(await contentsOf(objectType)).toEqual(expect.not.arrayContaining([{ id: 'b' }]))
  })

  it('a source that has not begun has no previous position, and says its order', async () => {
    const objectType = await newType()
    expect(await manage.refused([source('new', '2', '1'), put({ id: 'a' })], { objectType })).toMatchObject(
      errorNamed('SourceOutOfStep', { source: 'new', reason: 'notBegun' }),
    )
    const { order: _, ...without } = source('new', '2') as { order?: string }
    expect(await manage.refused([without, put({ id: 'a' })], { objectType })).toMatchObject(
      errorNamed('InvalidBatch', { problems: [{ line: 1, property: 'order' }] }),
    )
  })

  it('of writers that send at the same time one is applied, and no position is left out', async () => {
    const objectType = await newType()
    const begun = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        manage.send(
          [source('race', '1'), put({ id: `first ${i}` })].map((line) => JSON.stringify(line)).join('\n'),
          { objectType },
        ),
      ),
    )
    expect(begun.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(409)])
    const writer = async (name: string) => {
      for (;;) {
        const { position } = (await stored('race')) as { position: string }
        if (Number(position) >= 30) return
        const next = String(Number(position) + 1)
        const lines = [source('race', next, position), put({ id: next, label: name })]
        await manage.send(lines.map((line) => JSON.stringify(line)).join('\n'), { objectType })
      }
    }
    await Promise.all(['a', 'b', 'c', 'd'].map(writer))
    const commits = await rows(
      `select source_position from ${service.ontology.schema}.commits where source = 'race' order by version`,
    )
    expect(commits.map((row) => row['source_position'])).toEqual(
      Array.from({ length: 30 }, (_, i) => String(i + 1)),
    )
    expect(await contentsOf(objectType)).toHaveLength(30)
  })
})

it('P436: of batches that follow the same position, for different types, one is applied', async () => {
  const types = await Promise.all(Array.from({ length: 6 }, () => newType()))
  await manage.commit([source('both', '1'), put({ id: 'a' })], { objectType: types[0] ?? '' })
  for (let position = 2; position < 30; position += 1) {
    const answers = await Promise.all(
      types.map((objectType) => {
        const lines = [source('both', String(position), String(position - 1)), put({ id: `${position}` })]
        return manage.send(lines.map((line) => JSON.stringify(line)).join('\n'), { objectType })
      }),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409, 409,
    ])
  }
  const commits = await rows(
    `select source_position from ${service.ontology.schema}.commits where source = 'both'`,
  )
  expect(commits).toHaveLength(29)
})

describe('P437, P441: positions follow one another as their source says', () => {
  it.each([
    ['integer', '9', '10', '9'],
    ['lsn', '0/FFFFFFFF', '1/0', '0/ffffffff'],
    ['lsn', '0/9', '0/10', '0/00000009'],
    ['text', 'a9', 'b', 'a9'],
  ])('%s: %s comes before %s', async (order, before, after, sameAsBefore) => {
    const objectType = await newType()
    const name = `${order}-${before.replaceAll('/', '-')}`
    await manage.commit([source(name, before, undefined, { order }), put({ id: 'a' })], { objectType })
    await manage.commit([source(name, after, sameAsBefore), put({ id: 'b' })], { objectType })
    expect(
      await manage.refused([source(name, before, after), put({ id: 'c' })], { objectType }),
    ).toMatchObject(
      errorNamed('InvalidBatch', {
        problems: [{ line: 1, property: 'position', problem: expect.stringContaining('after') }],
      }),
    )
    // P441: the numbers are given out again.
    await manage.commit([source(name, before, after, { generation: 2 }), put({ id: 'c' })], { objectType })
    expect(await stored(name)).toMatchObject({ generation: 2, position: before })
  })

  it.each([
    ['integer', '1.5'],
    ['integer', '-1'],
    ['lsn', '16B3748'],
    ['lsn', '0/123456789'],
  ])('%s: %s is no position', async (order, position) => {
    const objectType = await newType()
    expect(
      await manage.refused([source('none', position, undefined, { order }), put({ id: 'a' })], {
        objectType,
      }),
    ).toMatchObject(
      errorNamed('InvalidBatch', { problems: [{ line: 1, property: 'position', value: position }] }),
    )
  })

  it('a source keeps its order', async () => {
    const objectType = await newType()
    await manage.commit([source('ordered', '1'), put({ id: 'a' })], { objectType })
    expect(
      await manage.refused([source('ordered', '2', '1', { order: 'lsn' }), put({ id: 'b' })], { objectType }),
    ).toMatchObject(errorNamed('InvalidBatch', { problems: [{ line: 1, property: 'order' }] }))
  })
})

it('P438: a batch of nothing but its source moves it, and makes no version', async () => {
  const objectType = await newType()
  await manage.commit([source('idle', '1'), put({ id: 'a' })], { objectType })
  const lines = [source('idle', '2', '1')]
  const moved: unknown = await manage.commit(lines, { objectType })
  expect(moved).toEqual({
    source: { name: 'idle', generation: 1, position: '2' },
    committedAt: expect.any(String),
    replayed: false,
  })
  expect(await manage.commit(lines, { objectType })).toEqual({ ...(moved as object), replayed: true })
  // The address of the batch does not matter where it has no objects; its contents do.
  expect(await manage.commit([source('idle', '3', '2')], {})).toMatchObject({ source: { position: '3' } })
  const { version, ...source3 } = (await stored('idle')) as { version?: string }
  expect([version, source3]).toEqual([undefined, expect.objectContaining({ position: '3' })])
  expect(await contentsOf(objectType)).toEqual([{ id: 'a' }])
  expect(
    await rows(`select version from ${service.ontology.schema}.commits where source = 'idle'`),
  ).toHaveLength(1)
  expect(await manage.refused([source('idle', '9', '2')], {})).toMatchObject(
    errorNamed('SourceOutOfStep', { reason: 'otherPosition' }),
  )
})

describe('P442: the sources of an ontology are listed, by their names', () => {
  it('page by page, each with its order and its position', async () => {
    const objectType = await newType()
    for (const name of ['list-b', 'list-a', 'list-c'])
      await manage.commit([source(name, '1'), put({ id: 'a' })], { objectType })
    const names: string[] = []
    for (let path: string | undefined = 'sources?pageSize=1'; path !== undefined;) {
      const { json } = await manage.request('GET', path)
      const page = json as { data: { name: string }[]; nextPageToken?: string }
      names.push(...page.data.map(({ name }) => name))
      path = page.nextPageToken && `sources?pageSize=1&pageToken=${page.nextPageToken}`
    }
    expect(names.filter((name) => name.startsWith('list-'))).toEqual(['list-a', 'list-b', 'list-c'])
    expect(names).toEqual(names.toSorted())
  })

  it('one that is forgotten begins again, and its objects stay', async () => {
    const objectType = await newType()
    await manage.commit([source('gone', '7'), put({ id: 'a' })], { objectType })
    expect((await manage.request('DELETE', 'sources/gone')).status).toBe(204)
    expect((await manage.request('DELETE', 'sources/gone')).status).toBe(404)
    expect(await contentsOf(objectType)).toEqual([{ id: 'a' }])
    await manage.commit([source('gone', '1'), put({ id: 'b' })], { objectType })
    const { json } = await manage.request('GET', '/manage/v1/ontologies/promised/audit?pageSize=1000')
    expect((json as { data: object[] }).data).toContainEqual(
      expect.objectContaining({ action: 'forgetSource', source: 'gone' }),
    )
  })
})

it('P435: the commits of a type show their source', async () => {
  const objectType = await newType()
  await manage.commit([source('seen', '1'), put({ id: 'a' })], { objectType })
  await manage.commit([put({ id: 'b' })], { objectType })
  const response = await service.fetch(`/api/promised/v1/objects/types/${objectType}/commits`)
  const { data } = (await response.json()) as { data: { source?: object }[] }
  expect(data.map((commit) => commit.source)).toEqual([
    undefined,
    { name: 'seen', generation: 1, position: '1' },
  ])
})

describe('P435: the line of the source is the first or the last, and there is one', () => {
  it.each([
    ['in the middle', [put({ id: 'a' }), source('lines', '1'), put({ id: 'b' })], 2],
    ['twice', [source('lines', '1'), put({ id: 'a' }), source('lines', '2', '1')], 3],
    ['without a name', [{ type: 'source', position: '1' }, put({ id: 'a' })], 1],
    ['with another field', [source('lines', '1', undefined, { at: 1 }), put({ id: 'a' })], 1],
  ])('%s it is refused', async (_name, lines, line) => {
    const objectType = await newType()
    expect(await manage.refused(lines, { objectType })).toMatchObject(
      errorNamed('InvalidBatch', { problems: [{ line }] }),
    )
  })
})
