// A request for a web socket goes through the same hooks and routes as any other: it is checked, authenticated and refused in the
// same way. Only its route can see the connection.
import { ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Socket } from 'node:net'

export interface Upgrade {
  readonly socket: Socket
  /** What has arrived after the request. */
  readonly head: Buffer
}

const underWay = new WeakMap<IncomingMessage, Upgrade>()

export const upgradeOf = (request: IncomingMessage): Upgrade | undefined => underWay.get(request)

const socketPaths = new WeakMap<Server, string>()

/** From now on, requests for web sockets are accepted at paths that begin so. */
export const acceptSockets = (server: Server, path: string): void => void socketPaths.set(server, path)

export function wantsSocket(server: Server, { url = '', headers }: IncomingMessage): boolean {
  const path = socketPaths.get(server)
  return path !== undefined && url.startsWith(path) && headers.upgrade?.toLowerCase() === 'websocket'
}

interface Routing {
  readonly server: Server
  readonly routing: (request: IncomingMessage, response: ServerResponse) => void
}

export function routeUpgrades(app: Routing): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node gives up the connection with the upgrade: a client that resets it would end the process.
    socket.on('error', () => socket.destroy())
    if (!(socket instanceof Socket)) {
      socket.destroy()
      return
    }
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => {
      response.detachSocket(socket)
      socket.end()
    })
    useProtocolAsCredentials(request)
    underWay.set(request, { socket, head })
    app.routing(request, response)
  })
}

const bearer = 'Bearer-'

/** A browser cannot send headers with a web socket, only names of protocols: clients put the token there. */
export const bearerProtocol = (protocols: Iterable<string>): string | undefined =>
  [...protocols].find((name) => name.startsWith(bearer))

function useProtocolAsCredentials({ headers }: IncomingMessage): void {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const protocol = bearerProtocol(offered)
  if (protocol === undefined || headers.authorization !== undefined) return
  headers.authorization = `Bearer ${protocol.slice(bearer.length)}`
}
