import { Connection, type ConnectionConfig, type PoolClient } from 'pg'

/** What the driver knows about a connection, but does not expose in its types. */
interface CancelFacts {
  readonly processID: number
  readonly secretKey: number
  readonly host: string
  readonly port: number
  readonly ssl: NonNullable<ConnectionConfig['ssl']>
  readonly sslNegotiation: 'postgres' | 'direct'
}

type CancelConnection = Connection & {
  readonly connect: (port: number | string, host?: string) => void
  readonly requestSsl: () => void
  readonly cancel: (processID: number, secretKey: number) => void
}

const givenUpAfterMs = 5_000

/**
 * Asks the server to cancel the current query of this connection. Resolves once the server has received the request, so that the
 * next query of a connection that is released afterwards cannot be cancelled instead.
 *
 * It uses TLS where the connection does, with the same settings: an attacker who reads the key on the way could cancel the
 * connection's queries. The driver's own cancel does not use TLS.
 */
export function cancelQuery(client: PoolClient): Promise<void> {
  const { processID, secretKey, host, port, ssl, sslNegotiation } = client as unknown as CancelFacts
  const connection = new Connection({ ssl, sslNegotiation } as ConnectionConfig) as CancelConnection
  const { stream } = connection
  return new Promise((resolve) => {
    const givenUp = setTimeout(() => stream.destroy(), givenUpAfterMs).unref()
    const cancel = () => connection.cancel(processID, secretKey)
    if (!ssl) connection.once('connect', cancel)
    else if (sslNegotiation !== 'direct') connection.once('connect', () => connection.requestSsl())
    connection.once('sslconnect', cancel)
    // A server that cannot be reached has no query of ours running either.
    connection.on('error', () => stream.destroy())
    // The server closes the connection. If we closed it, PgBouncer 1.18 would believe that the client is gone and cancel
    // nothing.
    connection.once('end', () => {
      clearTimeout(givenUp)
      resolve()
    })
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}
