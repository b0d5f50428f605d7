import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { forAllTests } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAgent, eras, type Agent, type Era } from '../../../agents/test/support/agent.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { builtProgram } from '../../../octavo/bundle/built-program.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const served = forAllTests(serveCommand)
const named = { apiFamily: 'served', objectType: 'thing' }
const count = 5_000

const agentOverStdio = (environment: Readonly<Record<string, string>>, era?: Era): Promise<Agent> =>
  connectAgent(
    new StdioClientTransport({
      command: process.execPath,
      args: [builtProgram('octavo'), 'mcp'],
      env: { ...environment, PATH: process.env['PATH'] ?? '' },
      cwd: served.folder,
      stderr: 'ignore',
    }),
    era,
  )

const put = (lines: readonly object[]): Promise<unknown> =>
  served.connection.json({
    method: 'POST',
    path: `/manage/v1/ontologies/${served.ontologyRid}/objectTypes/thing/batches`,
    body: lines.map((properties) => `${JSON.stringify({ type: 'put', properties })}\n`).join(''),
    headers: { 'content-type': 'application/x-ndjson' },
  })

beforeAll(async () => {
  await served.declare(
    defineType(
      'thing',
      { id: 'integer', name: 'string searchable', size: 'integer sortable' },
      { displayName: 'Thing', titleProperty: 'name' },
    ),
  )
  await put(Array.from({ length: count }, (_, id) => ({ id, name: `Thing ${id % 10}`, size: id % 100 })))
})

describe.each(eras)('a client of the protocol, %s', (era) => {
  let agent: Agent
  beforeAll(async () => {
    agent = await agentOverStdio(served.environment, era)
  })
  afterAll(() => agent.close())

  it('P370: has the same tools as the service, and each of them answers', async () => {
    const { tools } = await agent.client.listTools()
    expect(tools).toHaveLength(7)
    expect(await agent.ask('list_ontologies')).toMatchObject({ ontologies: [{ apiFamily: 'served' }] })
    expect(await agent.ask('list_types', { apiFamily: 'served' })).toMatchObject({
      types: [{ apiName: 'thing' }],
    })
    expect(await agent.ask('describe_type', named)).toMatchObject({ objects: count, primaryKey: 'id' })
    expect(await agent.ask('get_object', { ...named, primaryKey: '17' })).toMatchObject({
      primaryKey: '17',
      title: 'Thing 7',
      properties: { id: 17, size: 17 },
    })
    expect(await agent.ask('count_by', { ...named, groupBy: ['name'] })).toMatchObject({ groupsInAll: 10 })
    const { snapshotToken } = await agent.ask('count_by', named)
    expect(await agent.ask('changes_since', { ...named, since: snapshotToken })).toMatchObject({ total: 0 })
    expect(await agent.fail('describe_type', { ...named, objectType: 'thnig' })).toMatch(
      /^There is no object type thnig; did you mean thing\? .*\(ObjectTypeNotFound\)$/,
    )
    expect(await agent.fail('get_object', { ...named, primaryKey: 'x' })).toContain('(InvalidPropertyValue)')
  })

  it('P372, P377: a whole type is walked by following the tool, while others write', async () => {
    let commits = 0
    const given = {
      ...named,
      pageSize: 500,
      select: ['size'],
      orderBy: [{ field: 'size', direction: 'desc' }],
    }
    const before = await agent.askAll('search_objects', given)
    const answers = await agent.askAll('search_objects', given, async () => {
      commits += 1
      await put([{ id: (commits * 97) % count, name: 'Thing 7', size: commits }])
    })
    expect(commits).toBeGreaterThan(5)
    const objects = answers.flatMap((answer) => answer['objects'] as { primaryKey: string }[])
    expect(new Set(objects.map(({ primaryKey }) => primaryKey)).size).toBe(count)
    expect(objects).toEqual(before.flatMap((answer) => answer['objects'] as object[]))
    expect(answers.map(({ total }) => total)).toEqual(answers.map(() => count))
  })
})

it('the agent learns that the token is wrong or the service is not there', async () => {
  const stranger = await agentOverStdio({ ...served.environment, OCTAVO_TOKEN: 'oct_x' })
  expect(await stranger.fail('list_ontologies')).toContain('(Default:Unauthorized)')
  await stranger.close()
  const lost = await agentOverStdio({ ...served.environment, OCTAVO_URL: 'http://127.0.0.1:1' })
  expect(await lost.fail('list_ontologies')).toContain('No answer from http://127.0.0.1:1')
  await lost.close()
})

it('ends when the agent closes its input, and says at once what setting is missing', async () => {
  const { code, err } = await served.run(['mcp'], { environment: {} })
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('OCTAVO_URL') })
  const ended = await served.run(['mcp'])
  expect(ended).toMatchObject({ code: 0, out: '', err: '' })
})
