// A connection that can be lost: all traffic passes through this proxy until it is cut.
import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'

export interface CuttingProxy {
  readonly url: string
  /** Cuts every connection in the middle of its traffic, and refuses new ones for a while. */
  readonly cut: (closedMs: number) => void
  /** Bytes sent to the service. */
  readonly bytesSent: () => number
  readonly close: () => Promise<void>
}

/** A function is called for every connection, so that the service behind the proxy can change. */
export async function startCuttingProxy(port: number | (() => number)): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let closedUntil = 0
  let bytesSent = 0
  const kept = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    kept(client)
    if (performance.now() < closedUntil) {
      client.resetAndDestroy()
      return
    }
    const service = kept(connect(typeof port === 'number' ? port : port(), '127.0.0.1'))
    client.on('data', (data: Buffer) => (bytesSent += data.length))
    client.pipe(service).pipe(client)
    client.once('close', () => service.destroy())
    service.once('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a port')
  const cutAll = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut: (closedMs) => {
      closedUntil = performance.now() + closedMs
      cutAll()
    },
    bytesSent: () => bytesSent,
    close: async () => {
      server.close()
      cutAll()
      await once(server, 'close')
    },
  }
}
