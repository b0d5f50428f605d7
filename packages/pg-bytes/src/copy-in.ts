// The input of COPY ... FROM STDIN. The chunks are made while they are sent, and none is made while the server is behind.
import { Query, type Client } from 'pg'

interface DriverConnection {
  readonly stream: NodeJS.WritableStream & {
    readonly writableNeedDrain: boolean
    readonly destroyed: boolean
  }
  readonly sendCopyFromChunk: (chunk: Buffer) => void
  readonly endCopyFrom: () => void
  readonly sendCopyFail: (message: string) => void
}

type Callback = (error: Error | null) => void

/** Resolves once the server has all rows. Whole lines or not, the chunks together are the input. */
export function copyIn(client: Pick<Client, 'query'>, text: string, chunks: Iterable<Buffer>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const callback: Callback = (error) => (error === null ? resolve() : reject(error))
  client.query(new CopyInQuery(text, chunks, callback))
  return promise
}

class CopyInQuery extends Query {
  readonly #chunks: Iterable<Buffer>
  /** The driver may have wrapped the callback that it was given. */
  readonly #driver = this as unknown as { readonly callback: Callback }
  #ended = false
  /** Why the chunks could not be made; the server only repeats that they could not. */
  #cause: Error | undefined

  constructor(text: string, chunks: Iterable<Buffer>, callback: Callback) {
    super(...([text, undefined, callback] as unknown as ConstructorParameters<typeof Query>))
    this.#chunks = chunks
  }

  async #send(connection: DriverConnection): Promise<void> {
    try {
      for (const chunk of this.#chunks) {
        if (this.#ended) return
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await drained(connection.stream)
      }
    } catch (error) {
      this.#cause = error instanceof Error ? error : new Error(String(error))
      connection.sendCopyFail('the rows could not be made')
      return
    }
    if (!this.#ended) connection.endCopyFrom()
  }

  // The driver calls the following methods.

  handleCopyInResponse(connection: DriverConnection): void {
    void this.#send(connection)
  }

  handleCommandComplete(): void {
    // This message only says how many rows there were.
  }

  handleReadyForQuery(): void {
    this.#ended = true
    this.#driver.callback(null)
  }

  handleError(error: Error): void {
    this.#ended = true
    this.#driver.callback(this.#cause ?? error)
  }
}

/** Also resolves when the connection is closed: the driver reports that as the error of the query. */
function drained(stream: DriverConnection['stream']): Promise<void> {
  if (stream.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}
