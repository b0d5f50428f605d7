// Many requests over few connections, as fast as they are answered.
import { Agent, request } from 'node:http'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import type { Answer } from '../../packages/service/test/support/walk-over-http.ts'

export interface Call {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface KeepAliveClient {
  readonly send: (call: Call) => Promise<Answer>
  readonly close: () => void
}

/** Sends the token of the tests, unless the headers contain another. */
export function keepAliveClient(url: string, connections: number): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  const authorization = `Bearer ${testToken}`
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const sent = request(
          { agent, hostname, port, method, path, headers: { authorization, ...lengthOf(body), ...headers } },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () => {
              const received = Object.entries(response.headers).map(([name, value]): [string, string] => [
                name,
                String(value),
              ])
              const text = Buffer.concat(chunks).toString()
              resolve({ status: response.statusCode ?? 0, text, headers: new Headers(received) })
            })
          },
        )
        sent.on('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** Node omits it for methods that seldom have a body; then the body would be parsed as the next request. */
const lengthOf = (body: Call['body']): Readonly<Record<string, string>> =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }

/** Runs the work for every number below `count`, `atOnce` at a time. */
export async function forEachNumber(
  count: number,
  atOnce: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) {
      next += 1
      await work(next - 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
