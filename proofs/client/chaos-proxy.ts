// A proxy that does to answers whatever a network, a cache or a load balancer has ever done to one: it truncates, delays,
// duplicates, corrupts, reorders and drops them, or answers in the service's place. Its faults are drawn from a seed.
import { Agent, createServer, request, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../harness/random.ts'

export interface ChaosProxy {
  readonly url: string
  /** How many times each fault was injected. */
  readonly faults: ReadonlyMap<string, number>
  readonly close: () => Promise<void>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Chaos {
  readonly random: Random
  readonly reply: ServerResponse
  readonly answer: Answer
  /** Answers to other requests that could replace this one. */
  readonly earlier: readonly Answer[]
  /** Gives this answer to the next request that also swaps, and returns that one's. */
  readonly swap: (answer: Answer) => Promise<Answer>
}

type Fault = (chaos: Chaos) => Promise<void> | void

const faults: Readonly<Record<string, Fault>> = {
  delay: async ({ random, reply, answer }) => {
    await sleep(random.below(40))
    send(reply, answer)
  },
  hang: ({ reply }) => void setTimeout(() => reply.destroy(), 2_000).unref(),
  'lose before the answer': ({ reply }) => void reply.destroy(),
  'cut and break off': ({ random, reply, answer }) => {
    reply.writeHead(answer.status, sendable(answer.headers))
    reply.write(answer.body.subarray(0, random.below(answer.body.length)), () => reply.destroy())
  },
  'cut and end properly': ({ random, reply, answer }) =>
    send(reply, { ...answer, body: answer.body.subarray(0, random.below(answer.body.length)) }),
  // Compressed answers have checksums of their own. For those that are not, only TLS reveals it.
  'corrupt a byte': ({ random, reply, answer }) => {
    const body = Buffer.from(answer.body)
    if ('content-encoding' in answer.headers) body[random.below(body.length)] = random.below(256)
    send(reply, { ...answer, body })
  },
  'duplicate an earlier answer': ({ random, reply, answer, earlier }) =>
    send(reply, earlier[random.below(earlier.length)] ?? answer),
  reorder: async ({ reply, answer, swap }) => send(reply, await swap(answer)),
  'empty the body': ({ reply, answer }) => send(reply, { ...answer, body: Buffer.alloc(0) }),
  'a page of HTML with 200': ({ reply }) => send(reply, html(200)),
  'a page of HTML with 502': ({ reply }) => send(reply, html(502)),
  'refuse with 429': ({ reply }) => send(reply, { ...html(429), headers: { 'retry-after': '0' } }),
  'refuse with 503': ({ reply }) => send(reply, { ...html(503), headers: { 'retry-after': '0' } }),
}

const names = Object.keys(faults)

export async function startChaosProxy(
  target: string,
  { random, share }: { readonly random: Random; readonly share: number },
): Promise<ChaosProxy> {
  const agent = new Agent({ keepAlive: true })
  const done = new Map<string, number>()
  const earlier: Answer[] = []
  let waiting: ((answer: Answer) => Answer) | undefined
  const swap = async (answer: Answer): Promise<Answer> => {
    if (waiting !== undefined) {
      const take = waiting
      waiting = undefined
      return take(answer)
    }
    return new Promise((resolve) => {
      // No other request came to swap with, so the answer is only late.
      const timer = setTimeout(() => {
        waiting = undefined
        resolve(answer)
      }, 50)
      waiting = (other) => {
        clearTimeout(timer)
        resolve(other)
        return answer
      }
    })
  }

  const server = createServer((asked, reply) => {
    reply.on('error', () => {})
    const forwarded = request(
      target + (asked.url ?? ''),
      { agent, method: asked.method, headers: asked.headers },
      (received) => {
        const chunks: Buffer[] = []
        received.on('data', (chunk: Buffer) => chunks.push(chunk))
        received.on('end', () => {
          const answer = {
            status: received.statusCode ?? 0,
            headers: received.headers,
            body: Buffer.concat(chunks),
          }
          const name = random.next() < share ? names[random.below(names.length)] : undefined
          const fault = name === undefined ? undefined : faults[name]
          if (name !== undefined) done.set(name, (done.get(name) ?? 0) + 1)
          if (fault === undefined) send(reply, answer)
          else void fault({ random, reply, answer, earlier: [...earlier], swap })
          earlier.push(answer)
          if (earlier.length > 20) earlier.shift()
        })
      },
    )
    forwarded.on('error', () => reply.destroy())
    asked.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: done,
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(reply: ServerResponse, { status, headers, body }: Answer): void {
  if (reply.destroyed) return
  reply.writeHead(status, { ...sendable(headers), 'content-length': body.length }).end(body)
}

/** Removes the headers that belong to one connection. */
function sendable(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...others } = headers
  return others
}

const html = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html><body>Please sign in to the guest network.</body></html>'),
})
