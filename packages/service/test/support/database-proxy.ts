// A proxy between the service and PostgreSQL that can cut connections or go silent.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy {
  /** The URL of the database, through the proxy. */
  readonly url: string
  /** Cuts every connection after this many more bytes from the given side; these bytes are still forwarded. */
  readonly cutAfter: (bytes: number, from: 'server' | 'client') => void
  /** How many times a connection was cut. */
  readonly cuts: () => number
  /** Drops all traffic without notice, until it is switched off. */
  readonly fallSilent: (silent: boolean) => void
  /** Bytes received from the server. */
  readonly received: () => number
  readonly close: () => Promise<void>
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let cut: { left: number; readonly from: 'server' | 'client' } | undefined
  let cuts = 0
  let silent = false
  let received = 0

  const cutAll = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const pass = (data: Buffer, from: 'server' | 'client', to: Socket): void => {
    // Dropped, as on a network that loses packets.
    if (silent) return
    if (from === 'server') received += data.length
    if (cut?.from !== from) {
      to.write(data)
      return
    }
    const { left } = cut
    cut.left -= data.length
    if (left > data.length) {
      to.write(data)
      return
    }
    cut = undefined
    cuts += 1
    to.write(data.subarray(0, left), cutAll)
  }
  const kept = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    const database = kept(connect(Number(target.port), target.hostname))
    kept(client).on('data', (data: Buffer) => pass(data, 'client', database))
    database.on('data', (data: Buffer) => pass(data, 'server', client))
    client.once('close', () => database.destroy())
    database.once('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a port')
  const url = new URL(databaseUrl)
  url.port = String(address.port)
  return {
    url: url.href,
    cutAfter: (bytes, from) => {
      cut = { left: bytes, from }
    },
    cuts: () => cuts,
    fallSilent: (now) => {
      silent = now
    },
    received: () => received,
    close: async () => {
      server.close()
      cutAll()
      await once(server, 'close')
    },
  }
}
