// A proxy that passes on answers no faster than a line of a given speed, all connections together.
import { startTcpProxy } from '../harness/tcp-proxy.ts'

export interface SlowLine {
  readonly url: string
  /** The bytes of answers so far, with their headers. */
  readonly bytes: () => number
  readonly close: () => Promise<void>
}

/** Shorter waits are not worth a timer, whose steps are milliseconds. */
const leastWaitMs = 2

export async function startSlowLine(serviceUrl: string, megabits: number): Promise<SlowLine> {
  const bytesPerMs = (megabits * 1_000_000) / 8 / 1_000
  let bytes = 0
  /** When everything that has arrived so far will have been passed on. */
  let freeAt = 0
  const proxy = await startTcpProxy((client, open) => {
    const service = open(new URL(serviceUrl))
    service.once('close', () => client.destroy())
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
  })
  return { url: `http://127.0.0.1:${proxy.port}`, bytes: () => bytes, close: proxy.close }
}
