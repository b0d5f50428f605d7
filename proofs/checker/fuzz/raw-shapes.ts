// Requests that no client makes: each is answered at most as often as there are requests in it, and never as a fault.
import { connect } from 'node:net'
import type { Findings } from './findings.ts'

const post = 'POST /api/one/v1/snapshots HTTP/1.1\r\n'
const live = 'GET /health/live HTTP/1.1\r\n'
const json = 'Content-Type: application/json\r\n'
const webSocket = 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n'

interface Shape {
  readonly name: string
  readonly text: string
  /** How many requests a right reader can see in it. */
  readonly requests: number
}

function shapes(token: string): readonly Shape[] {
  const host = `Host: x\r\nAuthorization: Bearer ${token}\r\n`
  const chunked = (coding: string): string => `${post}${host}${json}${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`
  const one = (name: string, text: string): Shape => ({ name, text, requests: 1 })
  return [
    one(
      'a length and chunks',
      `${post}${host}${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${live}${host}\r\n`,
    ),
    one('two lengths', `${post}${host}${json}Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}`),
    one('a negative length', `${post}${host}Content-Length: -1\r\n\r\n`),
    one('an unknown coding', chunked('Transfer-Encoding: xchunked')),
    one('a blank before the colon', chunked('Transfer-Encoding : chunked')),
    one(
      'an extension of a chunk',
      `${post}${host}${json}Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n`,
    ),
    one('a huge chunk', `${post}${host}${json}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`),
    one('ends of lines without CR', 'GET /health/live HTTP/1.1\nHost: x\n\n'),
    one('a folded header', `${live}Host: x\r\nX: a\r\n b\r\n\r\n`),
    one('no host', `${live}\r\n`),
    one('two hosts', `${live}Host: a\r\nHost: b\r\n\r\n`),
    one('an absolute address', 'GET http://evil/health/live HTTP/1.1\r\nHost: x\r\n\r\n'),
    one('HTTP/0.9', 'GET /health/live\r\n\r\n'),
    one('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    one('an upgrade to HTTP/2', `${live}${host}Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n`),
    one(
      'a web socket where there is none',
      `GET /api/v1/ontologies HTTP/1.1\r\n${host}${webSocket}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    ),
    one(
      'a web socket without a key',
      `GET /api/v2/ontologySubscriptions/ontologies/one/streamSubscriptions HTTP/1.1\r\n${host}${webSocket}\r\n`,
    ),
    one(
      'a request in the body of a GET',
      `GET /api/v1/ontologies HTTP/1.1\r\n${host}Content-Length: 38\r\n\r\nGET /health/ready HTTP/1.1\r\nHost: xy\r\n\r\n`,
    ),
    one('OPTIONS *', `OPTIONS * HTTP/1.1\r\n${host}\r\n`),
    one('CONNECT', `CONNECT x:80 HTTP/1.1\r\n${host}\r\n`),
    one('TRACE', `TRACE / HTTP/1.1\r\n${host}\r\n`),
    one('NUL in a header', `${live}Host: x\r\nX: a\0b\r\n\r\n`),
    one('an unknown expectation', `${post}${host}Expect: nonsense\r\nContent-Length: 2\r\n\r\n{}`),
    one('headers of 100 KiB', `${live}${host}X: ${'x'.repeat(100 << 10)}\r\n\r\n`),
    one(
      '1,000 headers',
      `${live}${host}${Array.from({ length: 1_000 }, (_, i) => `X${i}: 1\r\n`).join('')}\r\n`,
    ),
    one('an address of 100 KiB', `GET /${'x'.repeat(100 << 10)} HTTP/1.1\r\n${host}\r\n`),
    { name: 'twenty at once', text: `${live}${host}\r\n`.repeat(20), requests: 20 },
  ]
}

export async function sendRawShapes(url: string, token: string, { count, problem }: Findings): Promise<void> {
  const port = Number(new URL(url).port)
  for (const { name, text, requests } of shapes(token)) {
    const answer = await answerTo(port, text)
    const statuses = [...answer.matchAll(/^HTTP\/1[.][01] (\d{3})/gm)].map(([, status]) => Number(status))
    console.log(
      `raw: ${name}: ${statuses.length > 3 ? `${statuses.length} answers` : statuses.join(', ') || 'closed'}`,
    )
    count('raw shapes')
    const final = statuses.filter((status) => status !== 100)
    if (final.length > requests) problem(`raw: ${name}: more answers than requests`, answer.slice(0, 600))
    // 501 and 505 say that this way of asking is not known.
    if (final.some((status) => status >= 500 && status !== 501 && status !== 505))
      problem(`raw: ${name}: ${final.join(', ')}`, answer.slice(0, 600))
  }
}

/** What comes until the connection is closed, or nothing more comes. */
function answerTo(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const connection = connect(port, '127.0.0.1')
    let answer = ''
    connection.setTimeout(1_500, () => connection.destroy())
    connection.on('data', (bytes: Buffer) => (answer += bytes.toString()))
    // A connection may be reset while it is still written to.
    connection.on('error', () => {})
    connection.on('close', () => resolve(answer))
    connection.write(text)
  })
}
