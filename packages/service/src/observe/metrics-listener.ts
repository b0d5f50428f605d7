// The metrics have a port of their own. They need no authentication, so callers must not be able to reach that port.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface MetricsListener {
  /** Returns the address, such as http://127.0.0.1:9464/metrics. */
  readonly listen: (host: string, port: number) => Promise<string>
  readonly close: () => Promise<void>
}

interface MetricsPage {
  readonly contentType: string
  readonly text: () => Promise<string>
}

export function metricsListener({ contentType, text }: MetricsPage): MetricsListener {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Metrics are at GET /metrics.\n')
      return
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': contentType }).end(body),
      () =>
        response
          .writeHead(500, { 'content-type': 'text/plain' })
          .end('The metrics could not be collected; see the log.\n'),
    )
  })
  return {
    listen: async (host, port) => {
      server.listen(port, host)
      await once(server, 'listening')
      const { address, family, port: taken } = server.address() as AddressInfo
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/metrics`
    },
    close: async () => {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
