import type { Server } from 'node:http'
import type { Socket } from 'node:net'

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
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return async () => {
    const since = performance.now()
    const sweep = setInterval(() => {
      // An answer whose headers were out before the stop has told its client that the connection stays open.
      server.closeIdleConnections()
      if (performance.now() - since < silentMilliseconds) return
      // To Node a connection that has not said anything yet is not idle: it would wait for its first request.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    }, lookEveryMilliseconds)
    try {
      await close()
    } finally {
      clearInterval(sweep)
    }
  }
}
