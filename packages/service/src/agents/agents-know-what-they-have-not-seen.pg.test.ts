// Answers of tools are bounded, and say what they do not show.
import { limits, type ObjectTypeDefinition } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { agentOverHttp, type Answer } from '../../../agents/test/support/agent.ts'
import { itemDefinition, itemId, items, putItems } from '../../test/support/load-items.ts'
import { serveOnFreshDatabase } from '../../test/support/serve-on-fresh-database.ts'
import { testToken } from '../../test/support/test-access.ts'

const service = forAllTests(serveOnFreshDatabase)
const agent = forAllTests(() => agentOverHttp(service.url, testToken))
const { answerBytes } = limits.agents

interface Shown {
  readonly primaryKey: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly tooLarge?: { readonly bytes: number; readonly largestProperties: object; readonly advice: string }
}

const objectsOf = (answers: readonly Answer[]): readonly Shown[] =>
  answers.flatMap((answer) => answer['objects'] as readonly Shown[])

const newType = async (definition: ObjectTypeDefinition) => ({
  type: await service.store.applyObjectType(service.ontology, definition),
  named: { apiFamily: 'promised', objectType: definition.apiName },
})

it('P372, P377: 5,000 objects are walked whole by following the tool, exactly, while a writer changes them', async () => {
  const { type, named } = await newType(itemDefinition('walked'))
  const all = items(5_000)
  await putItems(service.store, type, all)
  let commits = 0
  const write = async (): Promise<void> => {
    commits += 1
    const moved = Array.from({ length: 20 }, (_, i) => ({
      ...items(1)[0],
      id: itemId((commits * 97 + i * 251) % 5_000),
      rank: commits,
    }))
    await putItems(service.store, type, [...moved, { id: `new${commits}`, rank: 1 }])
    const gone = itemId((commits * 389) % 5_000)
    await service.store.commit({ parts: [{ type, changes: [{ kind: 'delete', key: gone }] }] })
  }
  for (const orderBy of [undefined, [{ field: 'rank', direction: 'desc' }]]) {
    const before = await agent.askAll('search_objects', { ...named, ...(orderBy && { orderBy }) })
    const answers = await agent.askAll('search_objects', { ...named, ...(orderBy && { orderBy }) }, write)
    expect(answers.length).toBeGreaterThan(20)
    const total = before.at(-1)?.['seen']
    for (const answer of answers) {
      expect(answer['total']).toBe(total)
      expect(answer.bytes).toBeLessThanOrEqual(answerBytes)
    }
    // The walk shows the state before the first of these commits, which nobody wrote in.
    expect(objectsOf(answers)).toEqual(objectsOf(before))
    if (orderBy === undefined) expect(objectsOf(answers).map(({ properties }) => properties)).toEqual(all)
  }
  expect(commits).toBeGreaterThan(40)
})

it('P371: no answer is larger than the limit, whatever the objects are, and none of them is left out', async () => {
  const { type, named } = await newType(itemDefinition('sized'))
  // Characters of one to six bytes in JSON, keys of a thousand bytes, and sizes around the limit.
  const all = Array.from({ length: 120 }, (_, i) => ({
    id: `${'k'.repeat(i % 7 === 0 ? 1_000 : 3)}${String(i).padStart(4, '0')}`,
    rank: i,
    tags: [(['x', 'ü', '"', '\u0001', '😀'][i % 5] ?? '').repeat((i * 397) % 7_000)],
  }))
  await putItems(service.store, type, all)
  const answers = await agent.askAll('search_objects', {
    ...named,
    orderBy: [{ field: 'rank' }],
    pageSize: 1_000,
  })
  expect(Math.max(...answers.map(({ bytes }) => bytes))).toBeLessThanOrEqual(answerBytes)
  // Large enough to show that the limit is made use of.
  expect(Math.max(...answers.map(({ bytes }) => bytes))).toBeGreaterThan(answerBytes / 2)
  expect(answers[0]?.['total']).toBe(120)
  const shown = objectsOf(answers)
  expect(shown.map(({ primaryKey }) => primaryKey)).toEqual(all.map(({ id }) => id))
  const whole = shown.filter(({ tooLarge }) => tooLarge === undefined)
  const byKey = new Map(all.map((object) => [object.id, object]))
  for (const { primaryKey, properties } of whole) expect(properties).toEqual(byKey.get(primaryKey))
  expect(whole.length).toBeLessThan(120)
})

it('P373: an object that fits into no answer is named, with its size and what to select', async () => {
  const definition = itemDefinition('large')
  const { type, named } = await newType({
    ...definition,
    properties: { ...definition.properties, text: { type: 'string' }, more: { type: 'string' } },
  })
  const half = 'x'.repeat(20_000)
  await putItems(service.store, type, [
    { id: 'a', rank: 1 },
    { id: 'b', rank: 2, label: 'Both', text: half, more: half },
    { id: 'c', rank: 3, text: half.repeat(5) },
    { id: 'd', rank: 4 },
  ])
  const answers = await agent.askAll('search_objects', named)
  expect(answers[0]).toMatchObject({ total: 4 })
  const [a, b, c, d] = objectsOf(answers)
  expect([a?.primaryKey, d?.primaryKey]).toEqual(['a', 'd'])
  expect(b).toEqual({
    primaryKey: 'b',
    tooLarge: {
      bytes: expect.any(Number),
      largestProperties: { more: 20_002, text: 20_002, label: 6, id: 3, rank: 1 },
      advice: expect.stringContaining('Call get_object with its primaryKey and select'),
    },
  })
  expect(b?.tooLarge?.bytes).toBeGreaterThan(40_000)
  expect(c?.tooLarge?.advice).toContain('No answer can hold text')
  expect(await agent.ask('get_object', { ...named, primaryKey: 'b' })).toMatchObject({
    primaryKey: 'b',
    tooLarge: {},
  })
  expect(
    await agent.ask('get_object', { ...named, primaryKey: 'b', select: ['text', 'label'] }),
  ).toMatchObject({
    properties: { id: 'b', label: 'Both', text: half },
  })
  const changes = await agent.askAll('changes_since', { ...named, since: await stateBefore(named) })
  expect(Math.max(...changes.map(({ bytes }) => bytes))).toBeLessThanOrEqual(answerBytes)
})

const stateBefore = async (named: object): Promise<unknown> => {
  const { snapshotToken } = await agent.ask('search_objects', {
    ...named,
    query: { type: 'in', field: 'id', value: [] },
  })
  return snapshotToken
}

it('P374: more groups than fit into an answer come in several, of one state', async () => {
  const definition = itemDefinition('grouped')
  const { type, named } = await newType(definition)
  const all = Array.from({ length: 900 }, (_, i) => ({
    id: itemId(i),
    rank: 0,
    label: `${'l'.repeat(200)}${i % 800}`,
  }))
  await putItems(service.store, type, all)
  let written = 900
  const answers = await agent.askAll('count_by', { ...named, groupBy: ['label'] }, async () => {
    await putItems(service.store, type, [{ id: itemId((written += 1)), rank: 0, label: `new${written}` }])
  })
  expect(answers.length).toBeGreaterThan(3)
  for (const answer of answers) {
    expect(answer).toMatchObject({ groupsInAll: 800, objectsInAll: 900 })
    expect(answer.bytes).toBeLessThanOrEqual(answerBytes)
  }
  const groups = answers.flatMap(
    (answer) => answer['groups'] as { group: { label: string }; count: number }[],
  )
  expect(new Set(groups.map(({ group }) => group.label)).size).toBe(800)
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(900)
})

const names = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => [`c${'x'.repeat(length - 4)}${i}`, { type: 'string' }] as const)

it('P371: lists of types and of properties continue where they end, too', async () => {
  const description = 'd'.repeat(3_000)
  const properties = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`p${i}`, { type: 'string' as const, description }]),
  )
  const { named } = await newType({
    ...itemDefinition('wide'),
    description,
    properties: { ...itemDefinition('wide').properties, ...properties },
  })
  const texts = { displayName: '😀'.repeat(4_000), description: '"'.repeat(4_000) }
  await newType({
    ...itemDefinition('texts'),
    ...texts,
    properties: {
      ...itemDefinition('texts').properties,
      big: { type: { struct: Object.fromEntries(names(50, 250)) }, ...texts },
    },
  })
  const large = await agent.askAll('describe_type', { ...named, objectType: 'texts' })
  const shownParts = large.flatMap((answer) => answer['parts'] as object[])
  expect(shownParts).toContainEqual({ part: 'displayName', text: texts.displayName })
  expect(shownParts).toContainEqual({
    name: 'property big',
    tooLarge: expect.objectContaining({ bytes: expect.any(Number) }),
  })
  for (const { bytes } of large) expect(bytes).toBeLessThanOrEqual(answerBytes)
  const described = await agent.askAll('describe_type', named)
  expect(described.length).toBeGreaterThan(2)
  const parts = described.flatMap((answer) => answer['parts'] as { part: string }[]).map(({ part }) => part)
  expect(parts.filter((part) => /^property p\d+$/.test(part))).toHaveLength(40)
  expect(new Set(parts).size).toBe(parts.length)
  expect(described[0]?.['total']).toBe(parts.length)
  for (let i = 0; i < 20; i += 1) await newType({ ...itemDefinition(`many${i}`), description })
  const types = await agent.askAll('list_types', { apiFamily: 'promised' })
  expect(types.length).toBeGreaterThan(1)
  expect(types.flatMap((answer) => answer['types'] as object[])).toHaveLength(Number(types[0]?.['total']))
  for (const { bytes } of [...described, ...types]) expect(bytes).toBeLessThanOrEqual(answerBytes)
})

it('P372: where a text is spelled otherwise, the answer says so and shows what there is', async () => {
  const definition = itemDefinition('spelled')
  const label = { type: 'string', searchable: true } as const
  const rank = { type: 'integer', searchable: true } as const
  const { type, named } = await newType({
    ...definition,
    properties: { ...definition.properties, label, rank },
  })
  const statuses = ['landed', 'landed', 'in flight', 'x'.repeat(100)]
  await putItems(
    service.store,
    type,
    statuses.map((label, i) => ({ id: itemId(i), rank: i, label })),
  )
  const eq = (value: string) => ({ type: 'eq', field: 'label', value })
  for (const [tool, query] of [
    ['search_objects', eq('Landed')],
    ['search_objects', { type: 'and', value: [{ type: 'in', field: 'label', value: ['Landed', 'LANDED'] }] }],
    ['count_by', eq('Landed')],
  ] as const) {
    const answer = await agent.ask(tool, { ...named, query })
    expect(answer).toMatchObject({ complete: true, valuesThatExist: { label: ['landed', 'in flight'] } })
    expect(answer['note']).toContain('compare texts exactly')
    expect(answer['note']).toContain('There is "landed" in label.')
  }
  // Nothing is spelled wrongly where another condition leaves nothing, or where no text is compared.
  for (const query of [
    { type: 'and', value: [eq('landed'), { type: 'gt', field: 'rank', value: 9 }] },
    { type: 'gt', field: 'rank', value: 9 },
  ]) {
    const answer = await agent.ask('search_objects', { ...named, query })
    expect(answer).toMatchObject({ total: 0, note: 'Complete: these are all objects that match.' })
    expect(answer).not.toHaveProperty('valuesThatExist')
  }
})

it('P374: of more groups than can be shown, the answer never says that it is complete', async () => {
  const { type, named } = await newType(itemDefinition('everyone'))
  const all = items(10_020).map((item, i) => ({ ...item, label: `label ${i}` }))
  await putItems(service.store, type, all)
  let answer = await agent.ask('count_by', { ...named, groupBy: ['label'], pageSize: 10_000 })
  let shown = 0
  for (;;) {
    shown += Number(answer['inThisAnswer'])
    expect(answer).toMatchObject({
      complete: false,
      groupsInAll: 'more than 10000',
      objectsInOtherGroups: 20,
    })
    if (answer.next === undefined) break
    answer = await agent.ask('count_by', { ...named, groupBy: ['label'], pageSize: 10_000, ...answer.next })
  }
  expect(shown).toBe(10_000)
  expect(answer['note']).toMatch(/^Not complete: 20 objects are in other groups/)
})

it('P375: a page token with one changed character, or with other arguments, is refused', async () => {
  const { type, named } = await newType(itemDefinition('sealed'))
  const since = await stateBefore(named)
  await putItems(service.store, type, items(60))
  const given = { ...named, pageSize: 5 }
  for (const [tool, asked] of [
    ['search_objects', given],
    ['count_by', { ...given, groupBy: ['label'] }],
    ['changes_since', { ...given, since }],
  ] as const) {
    const { next } = await agent.ask(tool, asked)
    const { pageToken, ...others } = next as { readonly pageToken: string }
    expect(pageToken).toMatch(/^[\w-]+$/)
    const goesOn = { ...asked, ...others }
    // A model writes the fields in another order, and may ask for another size.
    const reordered = Object.fromEntries(Object.entries({ ...goesOn, pageSize: 7 }).toReversed())
    expect(await agent.ask(tool, { ...reordered, pageToken })).toMatchObject({ seen: 12 })
    const at = Math.floor(pageToken.length / 2)
    const changed = `${pageToken.slice(0, at)}${pageToken[at] === 'A' ? 'B' : 'A'}${pageToken.slice(at + 1)}`
    for (const forged of [changed, '13.212.', `5.60.${pageToken}`]) {
      expect(await agent.fail(tool, { ...goesOn, pageToken: forged })).toContain('no pageToken of this tool')
    }
    const query = { type: 'in', field: 'id', value: [itemId(1)] }
    expect(await agent.fail(tool, { ...goesOn, query, pageToken })).toContain('goes with other arguments')
  }
  const { next } = await agent.ask('search_objects', given)
  expect(await agent.fail('count_by', { ...given, ...next })).toContain('goes with other arguments')
})
