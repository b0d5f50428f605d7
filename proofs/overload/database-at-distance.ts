import { startTcpProxy } from '../harness/tcp-proxy.ts'

export interface DistantDatabase {
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * Delays every answer of the database by this much. Then the capacity of a service is that of its pool, on any machine: at
 * capacity, no processor is busy.
 */
export async function databaseAtDistance(
  databaseUrl: string,
  milliseconds: number,
): Promise<DistantDatabase> {
  const proxy = await startTcpProxy((near, open) => {
    const far = open(new URL(databaseUrl))
    near.pipe(far)
    far.on('data', (bytes) => setTimeout(() => near.write(bytes), milliseconds))
    far.on('close', () => near.destroy())
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${proxy.port}`
  return { url: url.href, close: proxy.close }
}
