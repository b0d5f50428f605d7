import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

interface Stoppable {
  readonly server: Server
  readonly close: () => Promise<void>
}

const lookEveryMilliseconds = 100

/** In which a request may still arrive that was on its way. */
const silentMilliseconds = 1_000

/** Gives the function that stops listening and waits for the answers under way. To be asked for before it listens. */
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
      // An answer whose headers were out before the stop has told its client that the connection stays open.
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
 * To Node a connection is idle as soon as its answer was handed over, and `close` destroys it with what is not sent yet:
 * a page would be cut off. So while anything is being sent none is closed; it is looked at again.
 */
function closeOnlyWhenSent(server: Server, connections: ReadonlySet<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    for (const { writableLength } of connections) if (writableLength > 0) return
    closeIdle()
  }
}

/** To Node a connection that has not said anything yet is not idle: it would wait for its first request. */
function closeSilent(connections: ReadonlySet<Socket>): void {
  for (const socket of connections) {
    if (socket.bytesRead === 0 && !(socket instanceof TLSSocket)) socket.destroy()
  }
}
