// A connection that can be lost: all traffic passes through this proxy until it is cut.
import { startTcpProxy } from './tcp-proxy.ts'

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
  let closedUntil = 0
  let bytesSent = 0
  const proxy = await startTcpProxy((client, open) => {
    if (performance.now() < closedUntil) {
      client.resetAndDestroy()
      return
    }
    const service = open({ hostname: '127.0.0.1', port: String(typeof port === 'number' ? port : port()) })
    client.on('data', (data: Buffer) => (bytesSent += data.length))
    client.pipe(service).pipe(client)
    service.once('close', () => client.destroy())
  })
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    cut: (closedMs) => {
      closedUntil = performance.now() + closedMs
      for (const socket of proxy.sockets) socket.resetAndDestroy()
    },
    bytesSent: () => bytesSent,
    close: proxy.close,
  }
}
