// A network between the service and PostgreSQL that can be cut, or fall silent.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy {
  /** The address of the database, through here. */
  readonly url: string
  /** Cuts every connection once so many bytes more have come from the side that is named; they are still passed on. */
  readonly cutAfter: (bytes: number, from: 'server' | 'client') => void
  /** How often that happened. */
  readonly cuts: () => number
  /** Nothing passes any more, and nothing says so, until it is undone. */
  readonly fallSilent: (silent: boolean) => void
  /** Bytes that have come from the server. */
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
    // Lost, as on a network that drops what it is given.
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
