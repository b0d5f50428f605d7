// Calls of tools that nobody in their right mind would make: each is refused in words, and nothing else happens.
import { limits } from '@octavo/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentOverHttp, type Agent } from '../../../agents/test/support/agent.ts'
import { itemDefinition, itemId, items, putItems } from '../../test/support/load-items.ts'
import { serveOnFreshDatabase, type PromisedService } from '../../test/support/serve-on-fresh-database.ts'
import { newTokenOf, testToken } from '../../test/support/test-access.ts'

let service: PromisedService
let agent: Agent
let othersToken: string
const named = { apiFamily: 'promised', objectType: 'item' }
const secret = 'only-for-the-owner'

beforeAll(async () => {
  service = await serveOnFreshDatabase()
  const type = await service.store.applyObjectType(service.ontology, itemDefinition('item'))
  await putItems(service.store, type, [...items(50), { id: 'hidden', rank: 1, label: secret }])
  agent = await agentOverHttp(service.url, testToken)
  const { next } = await agent.ask('search_objects', { ...named, pageSize: 5 })
  othersToken = JSON.stringify(next)
})
afterAll(async () => {
  await agent.close()
  await service.close()
})

const long = 'x'.repeat(300_000)
const deep = (levels: number): object => {
  let query: object = { type: 'empty' }
  for (let i = 0; i < levels; i += 1) query = { type: 'not', value: query }
  return query
}
const proto: object = JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {}}}')
const wrongValues: readonly unknown[] = [
  1,
  -1,
  1.5,
  true,
  [],
  {},
  '',
  ' ',
  '\u0000',
  '../../manage/v1/accessTokens',
  long,
]
const sql = `item'; drop table clock; --`

/** A hundred calls and more; each has a name and its arguments. */
function hostileCalls(): readonly (readonly [tool: string, given: object])[] {
  const next: object = JSON.parse(othersToken)
  const everyTool = [
    'list_types',
    'describe_type',
    'search_objects',
    'get_object',
    'count_by',
    'changes_since',
  ]
  return [
    ...everyTool.flatMap((tool) =>
      wrongValues.map((value) => [tool, { ...named, apiFamily: value }] as const),
    ),
    ...wrongValues.map((value) => ['search_objects', { ...named, objectType: value }] as const),
    ...wrongValues.map((value) => ['search_objects', { ...named, pageToken: value }] as const),
    ...wrongValues.map((value) => ['search_objects', { ...named, snapshotToken: value }] as const),
    ...wrongValues.map((value) => ['search_objects', { ...named, query: value }] as const),
    ...wrongValues.map((value) => ['search_objects', { ...named, orderBy: [{ field: value }] }] as const),
    ...wrongValues.map(
      (value) => ['search_objects', { ...named, pageSize: value === 1 ? 0 : value }] as const,
    ),
    ...wrongValues.map((value) => ['changes_since', { ...named, since: value }] as const),
    ...wrongValues.map((value) => ['count_by', { ...named, groupBy: [value] }] as const),
    ...everyTool.map((tool) => [tool, proto] as const),
    ...everyTool.map((tool) => [tool, { ...named, ...proto }] as const),
    ['search_objects', { ...named, objectType: sql }],
    ['search_objects', { ...named, query: { type: 'eq', field: sql, value: 1 } }],
    ['search_objects', { ...named, query: { type: 'eq', field: 'rank', value: sql } }],
    ['search_objects', { ...named, query: { type: sql } }],
    ['search_objects', { ...named, query: { type: 'keyword', query: long } }],
    ['search_objects', { ...named, query: deep(50) }],
    ['search_objects', { ...named, query: deep(3_000) }],
    ['search_objects', { ...named, query: { type: 'linked', link: sql, query: {} } }],
    ['search_objects', { ...named, query: { type: 'linked', link: 'same', query: 7 } }],
    [
      'search_objects',
      { ...named, query: { type: 'and', value: Array.from({ length: 5_000 }, () => deep(2)) } },
    ],
    ['search_objects', { ...named, select: [sql] }],
    ['search_objects', { ...named, select: ['__proto__'] }],
    ['search_objects', { ...named, ...next, query: { type: 'eq', field: 'id', value: 'hidden' } }],
    ['search_objects', { ...named, ...next, pageToken: `9.9.${'A'.repeat(8_192)}` }],
    ['search_objects', { ...named, ...next, pageToken: '99999999999999999999.1.A' }],
    ['changes_since', { ...named, since: '2999-01-01T00:00:00Z' }],
    ['changes_since', { ...named, since: ':::' }],
    ['count_by', { ...named, groupBy: [{ type: 'exact', field: '__proto__' }] }],
    ['count_by', { ...named, groupBy: [{ type: 'ranges', field: 'rank', ranges: deep(2_000) }] }],
    ['count_by', { ...named, groupBy: ['rank'], metrics: [{ type: 'sum', field: 'label' }] }],
    ['count_by', { ...named, groupBy: ['rank', 'rank'] }],
    ['get_object', { ...named, primaryKey: long }],
    ['get_object', { ...named, primaryKey: { $ne: null } }],
  ]
}

const serverFailures = () =>
  service.observations.filter(
    (each) =>
      each.kind === 'request-failed' ||
      (each.kind === 'request-served' && each.status >= 500 && each.status !== 503),
  )

it('P110, P371, P376: a hundred hostile calls are refused in words, and none of them fails the service', async () => {
  const calls = hostileCalls()
  expect(calls.length).toBeGreaterThan(100)
  for (const [tool, given] of calls) {
    const { text, isError } = await agent.call(tool, given)
    expect(isError, `${tool} ${JSON.stringify(given).slice(0, 200)}: ${text.slice(0, 200)}`).toBe(true)
    expect(text).not.toMatch(/Send the same call again|stack|syntax error|select |octavo\./)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.agents.errorBytes)
  }
  expect(serverFailures()).toEqual([])
  expect(await agent.ask('search_objects', named)).toMatchObject({ total: 51 })
  expect(Object.prototype).not.toHaveProperty('isAdmin')
})

it('P375: a stranger learns nothing, whatever it sends', async () => {
  const { token } = await newTokenOf(service.store, { subject: 'stranger' })
  const stranger = await agentOverHttp(service.url, token)
  const next: object = JSON.parse(othersToken)
  const right = [
    ['search_objects', { ...named, ...next }],
    ['search_objects', { ...named, query: { type: 'eq', field: 'id', value: 'hidden' } }],
    ['get_object', { ...named, primaryKey: 'hidden' }],
  ] as const
  for (const [tool, given] of [...hostileCalls(), ...right]) {
    const text = await stranger.fail(tool, given)
    expect(text).not.toContain(secret)
    expect(text).not.toContain(itemId(1))
    expect(text).not.toContain('rank')
  }
  expect(serverFailures()).toEqual([])
  await stranger.close()
})

it('P370, P376: messages that are none are refused, and no answer stays open', async () => {
  const send = async (body: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await service.fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
      signal: AbortSignal.timeout(20_000),
    })
    return { status: response.status, text: await response.text() }
  }
  const call = (params: unknown, method = 'tools/call') =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const wrong: readonly (readonly [body: string, headers?: Readonly<Record<string, string>>])[] = [
    [''],
    ['{'],
    ['null'],
    ['7'],
    ['"tools/list"'],
    ['[]'],
    ['{}'],
    [`[${call({ name: 'list_ontologies' })},${call({ name: 'list_ontologies' })}]`],
    [call(undefined)],
    [call({})],
    [call({ name: 7 })],
    [call({ name: 'drop_table' })],
    [call({ name: '__proto__' })],
    [call({ name: 'list_ontologies', arguments: 'all' })],
    [call({ name: 'list_ontologies', arguments: [] })],
    [call({}, 'resources/list')],
    [call({}, 'subscriptions/listen')],
    [call({}, '__proto__')],
    [call({ name: 'list_ontologies' }), { 'content-type': 'text/plain' }],
    [call({ name: 'list_ontologies' }), { accept: 'text/html' }],
    [call({ name: 'list_ontologies' }), { 'mcp-protocol-version': '1999-01-01' }],
    [call({ name: 'list_ontologies' }), { 'mcp-protocol-version': '2026-07-28' }],
    [`${' '.repeat(limits.request.bodyBytes)}{}`],
  ]
  for (const [body, headers] of wrong) {
    const { status, text } = await send(body, headers)
    expect(status, `${body.slice(0, 100)}: ${text}`).toBeLessThan(500)
    expect(text, body.slice(0, 100)).toMatch(/error|isError/i)
  }
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await service.fetch('/mcp', { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  }
  expect(serverFailures()).toEqual([])
})
