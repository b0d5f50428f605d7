// A proxy between the service and PostgreSQL that counts the traffic. It reads only the first bytes of the client's
// messages: https://www.postgresql.org/docs/current/protocol-message-formats.html
import { startTcpProxy } from '../../harness/tcp-proxy.ts'

interface Traffic {
  /** The text of every executed statement, in order. */
  readonly statements: readonly string[]
  /** Statements that had to be parsed first. */
  readonly parsed: number
  /** How many times the service waited for an answer. */
  readonly roundTrips: number
  readonly bytesFromDatabase: number
}

export interface CountingProxy {
  readonly databaseUrl: string
  /** The traffic since the last call. */
  readonly take: () => Traffic
  readonly close: () => Promise<void>
}

export async function startCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const none = () => ({ statements: [] as string[], parsed: 0, roundTrips: 0, bytesFromDatabase: 0 })
  let traffic = none()
  const proxy = await startTcpProxy((client, open) => {
    const upstream = open(new URL(databaseUrl))
    const texts = new Map<string, string>()
    const read = messageReader((kind, payload) => {
      if (kind === 'P') {
        const [name = '', text = ''] = payload.toString('latin1').split('\0', 2)
        texts.set(name, text)
        traffic.parsed += 1
      } else if (kind === 'B') {
        const [, name = ''] = payload.toString('latin1').split('\0', 2)
        traffic.statements.push(texts.get(name) ?? '')
      } else if (kind === 'Q') {
        traffic.statements.push(payload.toString('latin1').replace('\0', ''))
        traffic.roundTrips += 1
      } else if (kind === 'S') traffic.roundTrips += 1
    })
    client.on('data', read)
    upstream.on('data', (bytes) => {
      traffic.bytesFromDatabase += bytes.length
    })
    client.pipe(upstream).pipe(client)
    upstream.once('error', () => client.destroy())
  })
  const url = new URL(databaseUrl)
  url.port = String(proxy.port)
  return {
    databaseUrl: url.href,
    take: () => {
      const taken = traffic
      traffic = none()
      return taken
    },
    close: proxy.close,
  }
}

/** Splits a stream into messages: a letter, a length that includes itself, and the rest. The very first has no letter. */
function messageReader(see: (kind: string, payload: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let letter = 0
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= letter + 4) {
      const length = letter + rest.readUInt32BE(letter)
      if (rest.length < length) return
      if (letter === 1) see(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, length))
      rest = rest.subarray(length)
      letter = 1
    }
  }
}
