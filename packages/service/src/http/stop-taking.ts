import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

interface Stoppable {
  readonly server: Server
  readonly close: () => Promise<void>
}

const lookEveryMilliseconds = 100

/** How long a request that is already on its way may still arrive. */
const silentMilliseconds = 1_000

/** Returns the function that stops listening and waits for pending answers. To be called before the server listens. */
export function stopTaking({ server, close }: Stoppable): () => Promise<void> {
  const connections = new Set<Socket>()
  const keep = (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  }
  server.on('connection', keep)
  server.on('secureConnection', keep)
  closeOnlyWhenSent(server, connections)
  return async () => {
    const since = performance.now()
    const sweep = setInterval(() => {
      // An answer whose headers were sent before the stop said to its client that the connection stays open.
      server.closeIdleConnections()
      if (performance.now() - since >= silentMilliseconds) closeSilent(connections)
    }, lookEveryMilliseconds)
    try {
      await close()
    } finally {
      clearInterval(sweep)
    }
  }
}

/**
 * Node considers a connection idle as soon as its answer has been handed over, and `close` destroys it together with the bytes
 * that are not sent yet: a page would be cut off. So no connection is closed while any of them is still sending; the next sweep
 * tries again.
 */
function closeOnlyWhenSent(server: Server, connections: ReadonlySet<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    for (const { writableLength } of connections) if (writableLength > 0) return
    closeIdle()
  }
}

/** Node does not consider a connection idle that has not sent anything yet: it would wait for its first request. */
function closeSilent(connections: ReadonlySet<Socket>): void {
  for (const socket of connections) {
    if (socket.bytesRead === 0 && !(socket instanceof TLSSocket)) socket.destroy()
  }
}
