import type { Server } from 'node:net'
import type { Observe } from '../observe/observation.ts'

const secondsBetweenReports = 10

/**
 * Node closes connections above the maximum before it reads anything from them. This is reported at most every ten seconds, as
 * there may be thousands.
 */
export function limitConnections(server: Server, maximum: number, observe: Observe): void {
  server.maxConnections = maximum
  // For workers: otherwise Node would offer a surplus connection to every worker in turn, for ever. Node's types do not have
  // this property yet.
  Object.assign(server, { dropMaxConnection: true })
  let dropped = 0
  let saidAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    dropped += 1
    const now = performance.now()
    if (now - saidAt < secondsBetweenReports * 1_000) return
    observe({ kind: 'connections-dropped', dropped, maximum })
    dropped = 0
    saidAt = now
  })
}
