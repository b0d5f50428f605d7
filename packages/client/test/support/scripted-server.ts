// A real HTTP server that answers as the test says: the client must withstand broken servers and proxies.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createClient, type Client, type ClientOptions } from '../../src/index.ts'

export interface Asked {
  /** Counted from 1. */
  readonly number: number
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
  readonly pageToken: string | undefined
}

export interface Scripted {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent unchanged, anything else as JSON. */
  readonly body?: unknown
  /** Replaces the answer altogether. */
  readonly instead?: (reply: ServerResponse) => void
}

export interface ScriptedServer {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Without delays between retries by default. */
  readonly client: (options?: Partial<ClientOptions>) => Client
}

export async function scriptedServer(
  answer: (asked: Asked) => Scripted | Promise<Scripted>,
): Promise<ScriptedServer> {
  const all: Asked[] = []
  const server = createServer((request, reply) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString()
      const url = new URL(request.url ?? '', 'http://test')
      const body = (text === '' ? {} : JSON.parse(text)) as Asked['body']
      const pageToken =
        (body['pageToken'] as string | undefined) ?? url.searchParams.get('pageToken') ?? undefined
      const { method = '', headers } = request
      const asked: Asked = { number: all.length + 1, method, url, headers, body, pageToken }
      all.push(asked)
      const scripted = await answer(asked)
      if (scripted.instead !== undefined) return scripted.instead(reply)
      const sent = typeof scripted.body === 'string' ? scripted.body : JSON.stringify(scripted.body ?? {})
      reply
        .writeHead(scripted.status ?? 200, { 'content-type': 'application/json', ...scripted.headers })
        .end(sent)
    })()
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked: all,
    client: (options) => createClient({ url, token: 'secret-token', backoffMilliseconds: 0, ...options }),
  }
}

/** Pages of numbered objects: page `n` has the token `t<n>`; the first page has none. */
export const numberedPages =
  (pages: number, perPage = 2) =>
  ({ pageToken }: Pick<Asked, 'pageToken'>): Scripted => {
    const page = pageToken === undefined ? 1 : Number(pageToken.slice(1))
    const data = Array.from({ length: perPage }, (_, i) => ({
      primaryKey: String((page - 1) * perPage + i + 1),
    }))
    return { body: { data, ...(page < pages && { nextPageToken: `t${page + 1}` }) } }
  }

export async function keysOf(
  walk: AsyncIterable<{ readonly primaryKey: string }>,
): Promise<readonly string[]> {
  const keys: string[] = []
  for await (const { primaryKey } of walk) keys.push(primaryKey)
  return keys
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** The error that the work throws; fails if it throws none. */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('It did not fail.')
}
