import { forAllTests } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentOverHttp, eras, type Agent } from '../../../agents/test/support/agent.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import { itemDefinition, itemId, items, putItems } from '../../test/support/load-items.ts'
import { serveOnFreshDatabase } from '../../test/support/serve-on-fresh-database.ts'
import { testToken } from '../../test/support/test-access.ts'

const service = forAllTests(serveOnFreshDatabase)
let type: ObjectType
const all = items(250)
const named = { apiFamily: 'promised', objectType: 'item' }

beforeAll(async () => {
  const definition = itemDefinition('item')
  type = await service.store.applyObjectType(service.ontology, {
    ...definition,
    properties: { ...definition.properties, rank: { type: 'integer', sortable: true, searchable: true } },
  })
  await putItems(service.store, type, all)
})

describe.each(eras)('a client of the protocol, %s', (era) => {
  let agent: Agent
  beforeAll(async () => {
    agent = await agentOverHttp(service.url, testToken, era)
  })
  afterAll(() => agent.close())

  it('P370: lists tools that only read, each with the schema of its arguments', async () => {
    const { tools } = await agent.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'list_ontologies',
      'list_types',
      'describe_type',
      'search_objects',
      'get_object',
      'count_by',
      'changes_since',
    ])
    for (const { annotations, inputSchema, description } of tools) {
      expect(annotations?.readOnlyHint).toBe(true)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(description).not.toBe('')
    }
    expect(JSON.stringify(tools)).not.toContain('~kind')
  })

  it('finds its way from nothing to one object', async () => {
    const { ontologies } = await agent.ask('list_ontologies')
    expect(ontologies).toEqual([
      expect.objectContaining({ apiName: 'promised', displayName: 'Promised', apiFamily: 'promised' }),
    ])
    const { types, complete } = await agent.ask('list_types', { apiFamily: 'promised' })
    expect(types).toContainEqual({ apiName: 'item', displayName: 'Item', primaryKey: 'id' })
    expect(complete).toBe(true)
    const described = await agent.ask('describe_type', named)
    expect(described).toMatchObject({ primaryKey: 'id', objects: 250, complete: true, total: 8 })
    expect(described['parts']).toContainEqual({
      part: 'property rank',
      type: 'integer',
      searchable: true,
      sortable: true,
    })
    expect(described['parts']).toContainEqual(
      expect.objectContaining({ part: 'link same', objectType: 'item' }),
    )
    const object = await agent.ask('get_object', { ...named, primaryKey: itemId(1), select: ['label'] })
    expect(object).toMatchObject({
      primaryKey: itemId(1),
      title: 'Item "1" ü',
      properties: { id: itemId(1), label: 'Item "1" ü' },
    })
    expect(await agent.fail('get_object', { ...named, primaryKey: 'nobody' })).toContain(
      'There is no object of type item with the primary key "nobody"',
    )
  })

  it('P372: a search says how many match, how many it shows, and with which arguments to continue', async () => {
    const query = { type: 'lt', field: 'rank', value: 50 }
    const wanted = all.filter(({ rank }) => rank < 50).map(({ id }) => id)
    const given = { ...named, query, pageSize: 20, select: [], orderBy: [{ field: 'id', direction: 'desc' }] }
    const answers = await agent.askAll('search_objects', given)
    expect(answers.map(({ total }) => total)).toEqual(answers.map(() => wanted.length))
    expect(answers.map(({ complete }) => complete)).toEqual(answers.map((_, i) => i === answers.length - 1))
    expect(answers[0]).toMatchObject({ inThisAnswer: 20, seen: 20 })
    expect(answers[0]?.['note']).toContain(`${wanted.length - 20} objects follow`)
    const keys = answers.flatMap(({ objects }) =>
      (objects as { primaryKey: string }[]).map((o) => o.primaryKey),
    )
    expect(keys).toEqual(wanted.toReversed())
    expect(answers.at(-1)).toMatchObject({ seen: wanted.length, complete: true })
    expect(answers.at(-1)).not.toHaveProperty('next')
  })

  it('follows links in one state of both types', async () => {
    const query = { type: 'linked', link: 'same', query: { type: 'eq', field: 'rank', value: 19 } }
    const { total, objects } = await agent.ask('search_objects', { ...named, query, select: [] })
    const wanted = all.filter(({ rank }) => rank === 19).map(({ id }) => id)
    expect(total).toBe(wanted.length)
    expect((objects as { primaryKey: string }[]).map((object) => object.primaryKey)).toEqual(wanted)
  })

  it('P374: counts by property, exactly, in as many answers as it takes', async () => {
    const ranks = new Set(all.map(({ rank }) => rank))
    const answers = await agent.askAll('count_by', { ...named, groupBy: ['rank'], pageSize: 3 })
    expect(answers[0]).toMatchObject({
      objectsInAll: 250,
      groupsInAll: ranks.size,
      complete: false,
      seen: 3,
      inThisAnswer: 3,
    })
    expect(answers.at(-1)).toMatchObject({ complete: true, seen: ranks.size })
    const groups = answers.flatMap(
      (answer) => answer['groups'] as { group: { rank: number }; count: number }[],
    )
    expect(groups).toHaveLength(ranks.size)
    for (const { group, count } of groups) {
      expect(count).toBe(all.filter(({ rank }) => rank === group.rank).length)
    }
    const whole = await agent.ask('count_by', { ...named, metrics: [{ type: 'max', field: 'rank' }] })
    expect(whole['groups']).toEqual([{ group: {}, count: 250, metrics: { 'rank.max': 99 } }])
  })

  it('P376: a refusal of Octavo keeps its own words, with the name that was probably meant', async () => {
    expect(await agent.fail('search_objects', { ...named, objectType: 'itme' })).toMatch(
      /did you mean item\?.*\(ObjectTypeNotFound\)$/,
    )
    const query = { type: 'eq', field: 'rnak', value: 1 }
    expect(await agent.fail('search_objects', { ...named, query })).toMatch(
      /did you mean rank\?.*\(PropertiesNotFound\)$/,
    )
    expect(await agent.fail('search_objects', { ...named, slect: [] })).toContain('(did you mean "select"?)')
    expect(await agent.fail('list_types', { apiFamily: 'unknown' })).toContain('(ApiFamilyNotFound)')
    await expect(agent.client.callTool({ name: 'serch_objects', arguments: {} })).rejects.toThrow(
      'There is no tool "serch_objects" (did you mean "search_objects"?)',
    )
  })

  it('tells what has changed since a state or a time, each object once', async () => {
    const objectType = `changed-${era}`
    const changed = await service.store.applyObjectType(service.ontology, itemDefinition(objectType))
    await putItems(service.store, changed, all)
    const typeNamed = { apiFamily: 'promised', objectType }
    const { next } = await agent.ask('search_objects', { ...typeNamed, pageSize: 1 })
    const { snapshotToken } = next as { snapshotToken: string }
    const time = new Date().toISOString()
    await putItems(service.store, changed, [{ id: itemId(3), rank: 1 }])
    await service.store.commit({
      parts: [{ type: changed, changes: [5, 6, 7].map((n) => ({ kind: 'delete', key: itemId(n) })) }],
    })
    for (const since of [snapshotToken, time]) {
      const answers = await agent.askAll('changes_since', { ...typeNamed, since, pageSize: 2 })
      expect(answers.length).toBeGreaterThan(1)
      expect(answers.at(-1)).toMatchObject({ complete: true, total: 4, seen: 4, objectsNow: '247' })
      const changes = answers.flatMap((answer) => answer['changes'] as { primaryKey: string }[])
      expect(changes.toSorted((a, b) => (a.primaryKey < b.primaryKey ? -1 : 1))).toEqual([
        { type: 'put', primaryKey: itemId(3), properties: { id: itemId(3), rank: 1 } },
        ...[5, 6, 7].map((n) => ({ type: 'delete', primaryKey: itemId(n), reason: 'deleted' })),
      ])
    }
    const last = await agent.ask('changes_since', { ...typeNamed, since: snapshotToken })
    const since = last['snapshotToken']
    expect(await agent.ask('changes_since', { ...typeNamed, since })).toMatchObject({
      total: 0,
      complete: true,
    })
  })
})
