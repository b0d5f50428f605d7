import type { Server } from 'node:net'
import type { Observe } from '../observe/observation.ts'

const secondsBetweenReports = 10

/** Node closes what is too much before anything is read from it. Said at most every ten seconds: it may be thousands. */
export function limitConnections(server: Server, maximum: number, observe: Observe): void {
  server.maxConnections = maximum
  // Of a worker; else Node offers what is too much to every worker in turn, for ever. Its types do not know it yet.
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
