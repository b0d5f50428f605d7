// Sends raw bytes on a socket, for requests that no HTTP client would send.
import { connect } from 'node:net'
import type { TestService } from './start-test-service.ts'
import { testToken } from './test-access.ts'
import type { Answer } from './walk-over-http.ts'

/**
 * What was received until the other side closed; empty if it closed without an answer. We do not close our half first: Node
 * would take that for a client that has disconnected.
 */
export function sendRaw(url: string, bytes: string | Buffer, mostMilliseconds = 5_000): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    // The service may close the connection while we still send.
    socket.on('error', () => {})
    socket.setTimeout(mostMilliseconds, () => socket.destroy())
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}

/** The first answer in the received bytes. */
export function parseAnswer(received: string): Answer {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const text = rest.join('\r\n\r\n').slice(0, Number(headers.get('content-length') ?? 0))
  return { status: Number(statusLine.split(' ')[1]), text, headers }
}

/** Sends a body with any method, even with those that no client sends one with. */
export async function sendBody(
  { url }: Pick<TestService, 'url'>,
  method: string,
  path: string,
  body: string,
): Promise<Answer> {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${testToken}`,
    ...(body === '' ? [] : ['Content-Type: application/json']),
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  return parseAnswer(await sendRaw(url, `${head.join('\r\n')}\r\n\r\n${body}`))
}
