// A server in front of the service that is too busy for the first requests.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface BusyProxy {
  readonly url: string
  /** The status of every answer, in order. */
  readonly answered: readonly number[]
  readonly close: () => Promise<void>
}

/** Answers with these statuses first, and then with what the service says. */
export async function startBusyProxy(url: string, refusals: readonly number[]): Promise<BusyProxy> {
  const answered: number[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request)
      const refusal = refusals[answered.length]
      if (refusal !== undefined) {
        answered.push(refusal)
        const name = refusal === 429 ? 'RateLimited' : 'Overloaded'
        response.writeHead(refusal, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({ errorCode: name, errorName: name, errorInstanceId: '', parameters: {} }),
        )
        return
      }
      const answer = await fetch(url + (request.url ?? ''), {
        method: request.method ?? 'GET',
        headers: {
          authorization: request.headers.authorization ?? '',
          'content-type': request.headers['content-type'] ?? 'application/json',
        },
        ...(body.length > 0 && { body }),
      })
      answered.push(answer.status)
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
