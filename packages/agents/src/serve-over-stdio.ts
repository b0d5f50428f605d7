import { Readable, type Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { sealerOfProcess } from './paging/sealer-of-process.ts'
import { agentServer, type AgentServerOptions } from './agent-server.ts'

export interface StdioOptions extends Omit<AgentServerOptions, 'sealer' | 'caller'> {
  readonly input: NodeJS.ReadableStream
  readonly output: Writable
  readonly signal: AbortSignal
}

/** Serves one client until it closes the input, or until the signal. */
export async function serveOverStdio({ input, output, signal, ...options }: StdioOptions): Promise<void> {
  const ended = Promise.withResolvers<void>()
  input.once('end', ended.resolve).once('close', ended.resolve)
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  if (signal.aborted) ended.resolve()
  // One process serves one caller.
  const sealed = { ...options, sealer: sealerOfProcess(), caller: '' }
  const handle = serveStdio(() => agentServer(sealed), {
    transport: new StdioServerTransport(asReadable(input), output),
    onerror: options.onFailure,
    // The tools never change, so there is nothing to notify of.
    maxSubscriptions: 0,
  })
  await ended.promise
  await handle.close()
}

const asReadable = (stream: NodeJS.ReadableStream): Readable =>
  stream instanceof Readable ? stream : new Readable().wrap(stream)
