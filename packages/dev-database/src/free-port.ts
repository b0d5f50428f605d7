import { createServer } from 'node:net'

export const loopback = '127.0.0.1'

/** A port that was free a moment ago; another process may still take it before the caller does. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, loopback, resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('A loopback port has no number.')
  return address.port
}
