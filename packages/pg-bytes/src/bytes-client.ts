import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { BytesQuery } from './bytes-query.ts'
import { messageReader } from './message-reader.ts'
import { rowBuffers } from './row-buffers.ts'

interface DriverClient {
  readonly connection: DriverConnection
  /** The query that the server is answering now. */
  readonly _getActiveQuery: () => unknown
}

interface DriverConnection {
  stream: NodeJS.ReadWriteStream
  readonly ssl: unknown
  attachListeners: (stream: NodeJS.ReadableStream) => void
  readonly emit: (name: string, message: unknown) => void
}

interface TimedClient {
  readonly connectionParameters: { query_timeout: number }
}

/**
 * Sends the query without the timer that the driver sets for every statement: the caller enforces its own time-out with
 * `giveUp`.
 */
export function askForBytes(client: Pick<Client, 'query'>, query: BytesQuery): Promise<void> {
  const { connectionParameters } = client as unknown as TimedClient
  const { query_timeout: milliseconds } = connectionParameters
  connectionParameters.query_timeout = 0
  client.query(query)
  connectionParameters.query_timeout = milliseconds
  return query.answer
}

/** The most that one read of a socket can return: a page of a thousand objects takes a few reads. */
const readBytes = 128 * 1_024

/** Shared by all connections of the process: enough for the pages that a busy service sends at a time. */
export const sharedRowBuffers = rowBuffers({ mostBytes: 32 * 1_024 * 1_024 })

/** The driver's client, but it reads into one buffer, and its message reader can hand over bytes. */
export class BytesClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config)
    const driver = this as unknown as DriverClient
    const { connection } = driver
    const take = messageReader({
      buffers: sharedRowBuffers,
      rowTaker: () => {
        // The driver's name for it.
        // oxlint-disable-next-line no-underscore-dangle
        const query = driver._getActiveQuery()
        return query instanceof BytesQuery ? query.takeRow : undefined
      },
      // As in the driver: a server error is a different event from a socket error.
      handle: (message) => connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message),
    })
    if (connection.ssl) {
      // With TLS, decrypted data arrives in buffers of the TLS layer.
      connection.attachListeners = (stream) => void stream.on('data', take)
      return
    }
    connection.attachListeners = () => {}
    connection.stream = new Socket({
      onread: {
        buffer: Buffer.allocUnsafeSlow(readBytes),
        callback: (bytes, buffer) => {
          take((buffer as Buffer).subarray(0, bytes))
          return true
        },
      },
    })
  }
}
