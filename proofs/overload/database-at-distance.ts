import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'

export interface DistantDatabase {
  readonly url: string
  readonly close: () => void
}

/**
 * Delays every answer of the database by this much. Then the capacity of a service is that of its pool, on any machine: at
 * capacity, no processor is busy.
 */
export async function databaseAtDistance(
  databaseUrl: string,
  milliseconds: number,
): Promise<DistantDatabase> {
  const target = new URL(databaseUrl)
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    near.pipe(far)
    far.on('data', (bytes) => setTimeout(() => near.write(bytes), milliseconds))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.setNoDelay(true)
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: url.href, close: () => server.close() }
}
