// Answers requests that Node could not parse as HTTP. It writes to the bare socket, since there is no request to reply to.
import { limits, mediaTypes } from '@octavo/protocol'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ServiceError } from '../base/errors/service-error.ts'
import { urlLength } from './refuse-unfit-request.ts'
import { failureReply, type FailureSources } from './failure-reply.ts'
import { securityHeaders } from './security-headers.ts'

export interface UnreadableRequest extends Error {
  readonly code?: string
  readonly reason?: string
  /** The bytes that the parser was reading. */
  readonly rawPacket?: unknown
}

export function answerUnreadableRequest(
  error: UnreadableRequest,
  socket: Socket,
  sources: FailureSources,
  isTls = false,
): void {
  // The client is gone, or sends so slowly that it would take an answer for that of another request.
  if (error.code === 'ECONNRESET' || error.code === 'ERR_HTTP_REQUEST_TIMEOUT' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = failureReply(refusalOf(error), crypto.randomUUID(), sources)
  const text = JSON.stringify(body)
  const head = {
    ...headers,
    ...securityHeaders({ url: '/api', isTls }),
    'content-type': `${mediaTypes.json}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () =>
    socket.destroy(),
  )
}

function refusalOf(error: UnreadableRequest): ServiceError {
  const cause = { cause: error }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const { urlBytes, headerBytes } = limits.request
    return new ServiceError(
      'RequestTooLarge',
      startsWithLongUrl(error.rawPacket, urlBytes)
        ? { limit: 'urlBytes', maximum: urlBytes }
        : { limit: 'headerBytes', maximum: headerBytes },
      cause,
    )
  }
  return new ServiceError(
    'InvalidParameterValue',
    { parameterId: 'request line or headers', parameterValue: error.reason ?? error.code ?? '' },
    cause,
  )
}

/** The parser counts the URL and the headers together; only the bytes show which of them was too long. */
function startsWithLongUrl(bytes: unknown, urlBytes: number): boolean {
  const text = Buffer.isBuffer(bytes) ? bytes.toString('latin1') : ''
  const [, url = ''] = /^[A-Z]+ ([^ \r\n]+)/.exec(text) ?? []
  return urlLength(url) > urlBytes
}
