// The tools are no way round anything that guards the other endpoints.
import { forAllTests } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentOverHttp, eras, type Agent } from '../../../agents/test/support/agent.ts'
import { itemDefinition, items, putItems } from '../../test/support/load-items.ts'
import { serveOnFreshDatabase } from '../../test/support/serve-on-fresh-database.ts'
import { refusalOf } from '../../test/support/error-answer.ts'
import { grantTo, newTokenOf, testSubject, testToken } from '../../test/support/test-access.ts'

const service = forAllTests(() => serveOnFreshDatabase({ environment: { OCTAVO_AUDIT_RETENTION_DAYS: '1' } }))
const named = { apiFamily: 'promised', objectType: 'item' }
const agents: Agent[] = []

const agentOf = async (token: string): Promise<Agent> => {
  const agent = await agentOverHttp(service.url, token)
  agents.push(agent)
  return agent
}

const message = (body: unknown, headers: Readonly<Record<string, string>> = {}, url = service.url) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  })

const toolsList = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

beforeAll(async () => {
  const definition = itemDefinition('item')
  const type = await service.store.applyObjectType(service.ontology, {
    ...definition,
    properties: { ...definition.properties, team: { type: 'string', searchable: true } },
    policy: { type: 'in', field: 'team', value: { claim: 'groups' } },
  })
  await putItems(
    service.store,
    type,
    items(30).map((item, i) => ({ ...item, team: i % 3 === 0 ? 'red' : 'blue' })),
  )
})
afterAll(async () => {
  for (const agent of agents) await agent.close()
})

it('P370: without credentials there is nothing, and the answer says which kind is needed', async () => {
  for (const headers of [{}, { authorization: 'Bearer oct_x' }]) {
    const response = await message(toolsList, headers)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    const answer = { status: response.status, text: await response.text(), headers: response.headers }
    expect(refusalOf(answer)).toMatchObject({ status: 401, errorName: 'Default:Unauthorized' })
  }
  for (const era of eras) await expect(agentOverHttp(service.url, 'oct_x', era)).rejects.toThrow()
})

it('P370: a token without the scope for reading is refused', async () => {
  const { token } = await newTokenOf(service.store, {
    subject: testSubject,
    scopes: ['api:ontologies-write'],
  })
  const response = await message(toolsList, { authorization: `Bearer ${token}` })
  const answer = { status: response.status, text: await response.text(), headers: response.headers }
  expect(refusalOf(answer)).toMatchObject({ status: 403, errorName: 'ApiUsageDenied' })
})

it('P375: to a caller without a grant, nothing exists', async () => {
  const { token } = await newTokenOf(service.store, { subject: 'stranger', groups: ['red', 'blue'] })
  const agent = await agentOf(token)
  expect(await agent.ask('list_ontologies')).toMatchObject({ total: 0, ontologies: [] })
  const since = (await (await agentOf(testToken)).ask('search_objects', named))['snapshotToken']
  const nobody = await agent.fail('list_types', { apiFamily: 'never-was' })
  for (const [tool, given] of [
    ['list_types', { apiFamily: 'promised' }],
    ['describe_type', named],
    ['search_objects', named],
    ['get_object', { ...named, primaryKey: 'i000001' }],
    ['count_by', { ...named, groupBy: ['team'] }],
    ['changes_since', { ...named, since }],
  ] as const) {
    expect(await agent.fail(tool, given)).toBe(nobody.replaceAll('never-was', 'promised'))
  }
})

it('P375: what a policy hides is in no answer of a tool, and in no number', async () => {
  await grantTo(service.store, 'painter', service.ontology.rid, 'reader')
  const { token } = await newTokenOf(service.store, { subject: 'painter', groups: ['red'] })
  const agent = await agentOf(token)
  await expect.poll(async () => (await agent.ask('list_ontologies'))['total']).toBe(1)
  const answers = await agent.askAll('search_objects', { ...named, pageSize: 3 })
  expect(answers.map(({ total }) => total)).toEqual([10, 10, 10, 10])
  expect(JSON.stringify(answers)).not.toContain('blue')
  expect(await agent.ask('describe_type', named)).toMatchObject({ objects: 10 })
  const counted = await agent.ask('count_by', { ...named, groupBy: ['team'] })
  expect(counted).toMatchObject({ objectsInAll: 10, groups: [{ group: { team: 'red' }, count: 10 }] })
  expect(await agent.fail('get_object', { ...named, primaryKey: 'i000001' })).toBe(
    (await agent.fail('get_object', { ...named, primaryKey: 'i999999' })).replace('i999999', 'i000001'),
  )
})

it('P375: a page token of another caller is refused', async () => {
  const agent = await agentOf(testToken)
  await grantTo(service.store, 'sculptor', service.ontology.rid, 'reader')
  const other = await agentOf(
    (await newTokenOf(service.store, { subject: 'sculptor', groups: ['red', 'blue'] })).token,
  )
  await expect.poll(async () => (await other.ask('list_ontologies'))['total']).toBe(1)
  const { next } = await other.ask('search_objects', { ...named, pageSize: 3 })
  expect(await agent.fail('search_objects', { ...named, ...next })).toContain('is of another caller')
})

it('P375: what tools read is audited, logged with the address and the id of the request, and limited', async () => {
  const before = service.observations.length
  const response = await message(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_objects', arguments: named } },
    { authorization: `Bearer ${testToken}`, 'x-request-id': 'asked-by-an-agent' },
  )
  expect(response.status).toBe(200)
  await response.text()
  const seen = service.observations.slice(before)
  const routes = () =>
    seen.flatMap((each) =>
      each.kind === 'request-served' && each.requestId === 'asked-by-an-agent' ? [each] : [],
    )
  await expect
    .poll(() => {
      seen.splice(0, seen.length, ...service.observations.slice(before))
      return routes().map(({ route }) => route)
    })
    .toEqual(expect.arrayContaining(['/mcp', '/api/:apiFamily/v1/objects/types/:objectType/search']))
  expect(new Set(routes().map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
  expect(seen).toContainEqual(
    expect.objectContaining({ kind: 'page-served', requestId: 'asked-by-an-agent', mode: 'snapshot' }),
  )
  await expect
    .poll(async () => {
      const audit = await service.fetch(`/manage/v1/ontologies/${service.ontology.rid}/audit?objectType=item`)
      return audit.text()
    })
    .toContain('searchObjects')
})

it('P375: the requests of a tool count towards the limit of its caller', async () => {
  const limited = await serveOnFreshDatabase({
    environment: { OCTAVO_RATE_LIMIT_PER_SECOND: '1', OCTAVO_RATE_LIMIT_BURST: '1' },
  })
  try {
    // Its share is one request, which the call itself takes.
    const answerTo = async (): Promise<string> => {
      const response = await message(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_ontologies', arguments: {} } },
        { authorization: `Bearer ${testToken}` },
        limited.url,
      )
      return `${response.status} ${await response.text()}`
    }
    await expect.poll(answerTo, { interval: 1_100 }).toMatch(/^200 .*\(RateLimited\)/s)
  } finally {
    await limited.close()
  }
})
