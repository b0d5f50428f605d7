// A server in front of another one. Each kind of proxy decides how bytes pass between a client and the connection that it opens.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** The open ones, of both sides. */
  readonly sockets: ReadonlySet<Socket>
  readonly close: () => Promise<void>
}

type Relay = (
  client: Socket,
  /** Opens a connection that ends with the client's. */
  open: (target: Pick<URL, 'hostname' | 'port'>) => Socket,
) => void

export async function startTcpProxy(relay: Relay): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const kept = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket
      .setNoDelay(true)
      .on('error', () => {})
      .once('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    relay(kept(client), ({ port, hostname }) => {
      const upstream = kept(connect(Number(port), hostname))
      client.once('close', () => upstream.destroy())
      return upstream
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
