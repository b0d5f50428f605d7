// Calls of tools that nobody in their right mind would make: each is refused in words, and nothing else happens.
import { limits } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { agentOverHttp } from '../../../agents/test/support/agent.ts'
import {
  hostileToolCalls,
  loadOwnedItems,
  problemOfRefusal,
  leakedToStranger,
  toolCallsOfTheOwner,
} from '../../test/support/hostile-tool-calls.ts'
import { serveOnFreshDatabase } from '../../test/support/serve-on-fresh-database.ts'
import { newTokenOf, testToken } from '../../test/support/test-access.ts'

const service = forAllTests(serveOnFreshDatabase)
const agent = forAllTests(() => agentOverHttp(service.url, testToken))
const owned = forAllTests(() => loadOwnedItems(service.store, service.ontology, agent))

const serverFailures = () =>
  service.observations.filter(
    (each) =>
      each.kind === 'request-failed' ||
      (each.kind === 'request-served' && each.status >= 500 && each.status !== 503),
  )

it('P110, P371, P376: a hundred hostile calls are refused in words, and none of them fails the service', async () => {
  const calls = hostileToolCalls(owned)
  expect(calls.length).toBeGreaterThan(100)
  for (const [tool, given] of calls) {
    const problem = problemOfRefusal(await agent.call(tool, given))
    expect(problem, `${tool} ${JSON.stringify(given).slice(0, 200)}`).toBeUndefined()
  }
  expect(serverFailures()).toEqual([])
  expect(await agent.ask('search_objects', owned.named)).toMatchObject({ total: owned.count })
  expect(Object.prototype).not.toHaveProperty('isAdmin')
})

it('P375: a stranger learns nothing, whatever it sends', async () => {
  const { token } = await newTokenOf(service.store, { subject: 'stranger' })
  const stranger = await agentOverHttp(service.url, token)
  for (const [tool, given] of [...hostileToolCalls(owned), ...toolCallsOfTheOwner(owned)]) {
    expect(leakedToStranger(await stranger.call(tool, given))).toBeUndefined()
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
