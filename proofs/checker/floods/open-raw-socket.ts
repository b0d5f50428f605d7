// A web socket that sends what it is given, and reads what it gets only to throw it away, or does not read at all.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import type { Flooded } from './types.ts'

export interface RawSocket {
  readonly send: (text: string) => void
  /** Whether the service has taken what was sent. */
  readonly isTaken: () => boolean
}

export async function openRawSocket({ url, tokens }: Flooded, reads: boolean): Promise<RawSocket> {
  const asked = request(`${url}/api/v2/ontologySubscriptions/ontologies/one/streamSubscriptions`, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      'sec-websocket-protocol': `Bearer-${tokens.flooding}`,
    },
  })
  asked.end()
  asked.on('response', ({ statusCode }) => asked.emit('error', new Error(`refused with ${statusCode}`)))
  const [, socket] = (await once(asked, 'upgrade')) as [unknown, Socket]
  socket.on('error', () => socket.destroy())
  if (reads) socket.resume()
  else socket.pause()
  return {
    send: (text) => {
      if (socket.writable) socket.write(frameOf(Buffer.from(text)))
    },
    isTaken: () => socket.writable && socket.writableLength === 0,
  }
}

/** RFC 6455, section 5.2: one text, masked with zeros, which leaves it as it is. */
function frameOf(payload: Buffer): Buffer {
  const head = Buffer.alloc(14)
  head[0] = 0x81
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}
