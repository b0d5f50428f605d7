import { Connection, type ConnectionConfig, type PoolClient } from 'pg'

/** What the driver knows of a connection, and does not say in its types. */
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
 * Asks the server to stop what this connection is doing. Resolves when the request has been taken, so that a
 * connection given back afterwards cannot have its next query stopped instead.
 *
 * Over TLS where the connection is, with the same settings: whoever reads the key on the way can stop its queries. The
 * driver has a cancel of its own, which goes without.
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
    // A server that cannot be reached has nothing running for us either.
    connection.on('error', () => stream.destroy())
    // The server ends the connection. If we ended it, PgBouncer 1.18 would take us for gone and cancel nothing.
    connection.once('end', () => {
      clearTimeout(givenUp)
      resolve()
    })
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}
