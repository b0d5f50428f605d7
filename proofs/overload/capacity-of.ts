import type { BenchRequest } from '../harness/ask-json.ts'
import type { ServerProcess } from '../harness/server-process.ts'
import { sendStream } from './load-order.ts'

/** Pages per second if as many connections as there are places for pages always have a request in flight. */
export async function capacityOf(
  { url }: ServerProcess,
  requests: readonly BenchRequest[],
  pages: number,
): Promise<number> {
  await sendStream(url, 1, { requests, perSecond: 50, connections: 9 })
  // All requests are due at once, so that a connection never waits for the next.
  const { accepted, seconds } = await sendStream(url, 0.1, {
    requests,
    perSecond: pages * 10,
    connections: 9,
  })
  return accepted.count / seconds
}
