// Stands between a client and the service, and does to pages what networks do.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Passed on; refused for the moment; cut off in the middle; or without its last object. */
type Fate = 'pass' | 'refuse' | 'cut' | 'lose'

export interface Meddler {
  readonly url: string
  /** Decides about each page that is asked for, counted from 1 again. */
  readonly at: (decide: (page: number) => Promise<Fate>) => void
  readonly close: () => Promise<void>
}

export async function startMeddler(service: string): Promise<Meddler> {
  let decide: (page: number) => Promise<Fate> = async () => 'pass'
  let pages = 0
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request)
      const fate = request.url?.endsWith('/search') ? await decide((pages += 1)) : 'pass'
      if (fate === 'refuse') {
        response.writeHead(503, { 'retry-after': '0' }).end('{}')
        return
      }
      const answer = await fetch(`${service}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          authorization: request.headers.authorization ?? '',
          'content-type': 'application/json',
        },
        ...(body.length > 0 && { body }),
      })
      const text = await answer.text()
      if (fate === 'cut') {
        response.writeHead(200, { 'content-length': text.length }).write(text.slice(0, 1_000), () => {
          response.destroy()
        })
        return
      }
      response.writeHead(answer.status).end(fate === 'lose' ? withoutLast(text) : text)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    at: (next) => {
      decide = next
      pages = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function withoutLast(text: string): string {
  const page = JSON.parse(text) as { readonly data: readonly unknown[] }
  return JSON.stringify({ ...page, data: page.data.slice(0, -1) })
}
