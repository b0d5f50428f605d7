import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server'
import { suggestion } from '@octavo/protocol/vocabulary'
import { boundedText } from './answer/answer-limit.ts'
import { pagingOf, type Sealer } from './paging/paging.ts'
import type { AskOctavo } from './ask/ask-octavo.ts'
import { octavoFor } from './ask/octavo.ts'
import { ToolError } from './ask/tool-error.ts'
import { allTools } from './tools/all-tools.ts'
import { readArguments } from './tools/read-arguments.ts'
import type { Tool } from './tools/tool.ts'

export interface AgentServerOptions {
  readonly version: string
  readonly ask: AskOctavo
  /** Of the page tokens that the tools give. */
  readonly sealer: Sealer
  /** Whose page tokens they are. */
  readonly caller: string
  /** Called with each failure that is our mistake. */
  readonly onFailure: (error: unknown) => void
}

const instructions =
  'Read-only access to the objects of an Octavo service. Begin with list_ontologies, list_types and describe_type. Every answer says in "total" how much there is, and in "complete" whether you have it all; if not, call the same tool again with the same arguments and those in "next". To count, use count_by instead of reading objects.'

const listedTools = allTools.map(listed)

/** The tools as a server of the Model Context Protocol. It keeps nothing between two calls. */
export function agentServer({ version, ask, sealer, caller, onFailure }: AgentServerOptions): Server {
  const server = new Server({ name: 'octavo', version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: listedTools }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const tool = allTools.find(({ name }) => name === params.name)
    if (tool === undefined) throw unknownTool(params.name)
    try {
      const given = readArguments(tool, params.arguments)
      const paging = pagingOf(sealer, { caller, tool: tool.name, given })
      return text(JSON.stringify(await tool.call(octavoFor(ask, signal), given, paging)))
    } catch (error) {
      if (error instanceof ToolError) return { ...text(boundedText(error.message)), isError: true }
      if (!signal.aborted) onFailure(error)
      return { ...text(`${tool.name} failed. Send the same call again.`), isError: true }
    }
  })
  return server
}

function listed({ name, title, description, input }: Tool): ListedTool {
  // Without what the library keeps in a schema for itself.
  const inputSchema: ListedTool['inputSchema'] = JSON.parse(JSON.stringify(input))
  const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
  return { name, title, description, inputSchema, annotations }
}

const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] })

function unknownTool(name: string): ProtocolError {
  const names = allTools.map((tool) => tool.name)
  const message = `There is no tool "${name}"${suggestion(name, names)}. There are: ${names.join(', ')}.`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, boundedText(message))
}
