import type { Comparison } from './comparison.ts'
import { post } from './paths.ts'
import { queries } from './queries.ts'
import type { Call } from './serve.ts'
import { docs } from './two-types.ts'

/** A call of one of the tools of agents. */
export const tool = (name: string, given: object): Call =>
  post(
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { apiFamily: 'one', ...given } },
    },
    { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
  )

export async function compareTools({ both }: Comparison): Promise<void> {
  for (const query of queries)
    await both(`tool search_objects ${JSON.stringify(query)}`, (side) =>
      tool('search_objects', { objectType: docs(side), query, pageSize: 20 }),
    )
  for (const primaryKey of ['h000001', 'v000003'])
    await both(`tool get_object ${primaryKey}`, (side) =>
      tool('get_object', { objectType: docs(side), primaryKey }),
    )
  await both('tool describe_type', (side) => tool('describe_type', { objectType: docs(side) }))
  await both('tool list_types', () => tool('list_types', {}))
  for (const field of ['cat', 'n'])
    await both(`tool count_by ${field}`, (side) => tool('count_by', { objectType: docs(side), field }))
}
