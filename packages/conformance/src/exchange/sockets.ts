// Web sockets as the clients of the API family open them: the token is the name of a protocol, because a browser can send no header.
import { randomBytes } from 'node:crypto'
import { request as askOverHttp, type IncomingMessage } from 'node:http'
import { request as askOverHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { headers as headerNames } from '@octavo/protocol'
import { jsonOf, withoutCredentials, type Exchange, type Sent } from './exchange.ts'
import { urlOf, whenNotBusy, type SendOptions, type Server } from './send.ts'

export interface Connection {
  /** The protocol that the server has chosen; empty if none. */
  readonly protocol: string
  readonly send: (message: object) => void
  /** The next message; undefined if none comes in time, or ever. */
  readonly next: (milliseconds: number) => Promise<unknown>
  /** The last message that was sent, and the last ones that came. */
  readonly exchange: () => Exchange
  readonly close: () => void
}

export interface Sockets {
  /** Whether the token can be the name of a protocol. */
  readonly canSendToken: boolean
  /** The answer to the request for a web socket, which is then given up; undefined if there is none. */
  readonly ask: (path: string, options?: Pick<SendOptions, 'token'>) => Promise<Exchange | undefined>
  /** Undefined if there is no connection. */
  readonly open: (path: string) => Promise<Connection | undefined>
}

/** RFC 9110, section 5.6.2. */
const protocolName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const longestHandshake = 10_000

export const socketsTo = ({ url, token: own }: Server): Sockets => ({
  canSendToken: protocolName.test(own),

  ask: async (path, { token = own } = {}) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      // In both places: what passes the request on as a plain one may leave it without a protocol.
      ...(token !== null && {
        'sec-websocket-protocol': protocolOf(token),
        [headerNames.authorization]: `Bearer ${token}`,
      }),
    }
    const sent: Sent = { method: 'GET', path, headers: withoutCredentials(headers) }
    return whenNotBusy(() => handshake(urlOf(url, path), sent, headers))
  },

  open: async (path) => {
    const socket = new WebSocket(urlOf(url, path).replace(/^http/, 'ws'), [protocolOf(own)])
    return (await isOpen(socket)) ? connectionOf(socket, path) : undefined
  },
})

const protocolOf = (token: string): string => `Bearer-${token}`

function handshake(
  url: string,
  sent: Sent,
  headers: Readonly<Record<string, string>>,
): Promise<Exchange | undefined> {
  const answered = ({ statusCode = 0, headers: given }: IncomingMessage, text: string): Exchange => ({
    sent,
    status: statusCode,
    headers: new Headers(Object.entries(given).map(([name, value]) => [name, String(value)])),
    text,
    body: jsonOf(text),
  })
  return new Promise((resolve) => {
    const ask = url.startsWith('https:') ? askOverHttps : askOverHttp
    const request = ask(url, { headers, agent: false, timeout: longestHandshake })
    request.on('upgrade', (response: IncomingMessage, socket: Duplex) => {
      socket.destroy()
      resolve(answered(response, ''))
    })
    request.on('response', (response: IncomingMessage) => {
      textOf(response).then(
        (text) => resolve(answered(response, text)),
        () => resolve(undefined),
      )
    })
    request.on('timeout', () => request.destroy())
    // Something on the way may close the connection instead of answering.
    request.on('error', () => resolve(undefined))
    request.end()
  })
}

const isOpen = (socket: WebSocket): Promise<boolean> =>
  new Promise((resolve) => {
    const patience = setTimeout(() => socket.close(), longestHandshake)
    const end = (opened: boolean) => () => {
      clearTimeout(patience)
      resolve(opened)
    }
    socket.addEventListener('open', end(true))
    socket.addEventListener('error', end(false))
    socket.addEventListener('close', end(false))
  })

/** What a report shows of a conversation. */
const shownMessages = 3

function connectionOf(socket: WebSocket, path: string): Connection {
  const came: string[] = []
  let taken = 0
  let body: string | undefined
  let wake = (): void => {}
  let isOver = false
  socket.addEventListener('message', ({ data }) => {
    came.push(String(data))
    wake()
  })
  socket.addEventListener('close', () => {
    isOver = true
    wake()
  })
  return {
    protocol: socket.protocol,
    send: (message) => {
      body = JSON.stringify(message)
      socket.send(body)
    },
    next: async (milliseconds) => {
      if (taken === came.length && !isOver) {
        await new Promise<void>((resolve) => {
          const patience = setTimeout(resolve, milliseconds)
          wake = () => {
            clearTimeout(patience)
            resolve()
          }
        })
      }
      const text = came[taken]
      if (text === undefined) return undefined
      taken += 1
      // A message that is not JSON is one nevertheless.
      return jsonOf(text) ?? text
    },
    exchange: () => ({
      sent: { method: 'GET', path, headers: {}, ...(body !== undefined && { body }) },
      status: 101,
      headers: new Headers(),
      text: came.slice(Math.max(0, taken - shownMessages), taken).join('\n'),
      body: undefined,
    }),
    close: () => socket.close(),
  }
}
