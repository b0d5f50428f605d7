// A proxy that passes on answers no faster than a line of a given speed, all connections together.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface SlowLine {
  readonly url: string
  /** The bytes of answers so far, with their headers. */
  readonly bytes: () => number
  readonly close: () => Promise<void>
}

/** Shorter waits are not worth a timer, whose steps are milliseconds. */
const leastWaitMs = 2

export async function startSlowLine(serviceUrl: string, megabits: number): Promise<SlowLine> {
  const { hostname, port } = new URL(serviceUrl)
  const bytesPerMs = (megabits * 1_000_000) / 8 / 1_000
  const sockets = new Set<Socket>()
  let bytes = 0
  /** When everything that has arrived so far will have been passed on. */
  let freeAt = 0
  const server = createServer({ noDelay: true }, (client) => {
    const service = connect({ port: Number(port), host: hostname, noDelay: true })
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        service.destroy()
      })
    }
    client.pipe(service)
    service.on('data', (piece) => {
      bytes += piece.length
      const now = performance.now()
      freeAt = Math.max(freeAt, now) + piece.length / bytesPerMs
      client.write(piece)
      if (freeAt - now < leastWaitMs) return
      service.pause()
      setTimeout(() => service.resume(), freeAt - now)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
