import { connect } from 'node:net'
import type { PoolClient } from 'pg'

const cancelRequestCode = 80_877_102

interface CancelFacts {
  readonly processID: number
  readonly secretKey: number
  readonly host: string
  readonly port: number
}

/**
 * Asks the server to stop what this connection is doing. Resolves when the request has been taken, so that a
 * connection given back afterwards cannot have its next query stopped instead.
 */
export function cancelQuery(client: PoolClient): Promise<void> {
  const { processID, secretKey, host, port } = client as unknown as CancelFacts
  const packet = Buffer.alloc(16)
  packet.writeInt32BE(16, 0)
  packet.writeInt32BE(cancelRequestCode, 4)
  packet.writeInt32BE(processID, 8)
  packet.writeInt32BE(secretKey, 12)
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    socket.setTimeout(5_000, () => socket.destroy())
    // A server that cannot be reached has nothing running for us either.
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.on('data', () => {})
    // The server ends the connection. If we ended it, PgBouncer 1.18 would take us for gone and cancel nothing.
    socket.write(packet)
  })
}
