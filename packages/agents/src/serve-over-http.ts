import { createMcpHandler } from '@modelcontextprotocol/server'
import { agentServer, type AgentServerOptions } from './agent-server.ts'

export interface HttpExchange {
  readonly url: string
  readonly headers: Headers
  /** The body, parsed. */
  readonly body: unknown
  readonly signal: AbortSignal
}

/**
 * Answers one request of the streamable HTTP transport. No session is kept: each request gets a new server, so any instance can
 * answer it (P370).
 */
export async function serveOverHttp(
  options: AgentServerOptions,
  { url, headers, body, signal }: HttpExchange,
): Promise<Response> {
  // The tools never change, so there is nothing to notify of, and no answer stays open.
  const handler = createMcpHandler(() => agentServer(options), { maxSubscriptions: 0 })
  const request = new Request(url, { method: 'POST', headers, signal })
  return handler.fetch(request, { parsedBody: body })
}
