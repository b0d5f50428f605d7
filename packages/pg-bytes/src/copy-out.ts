// The output of COPY ... TO STDOUT, in constant memory: the socket is paused while the reader is behind.
import type { Client } from 'pg'

interface DriverConnection {
  readonly query: (text: string) => void
  readonly stream: { readonly pause: () => void; readonly resume: () => void }
}

/** Read ahead of the reader, apart from the one row that exceeds it. */
const mostWaitingBytes = 256 * 1_024

/** The client serves nothing else meanwhile. If the reader stops early, the client must be ended. */
export async function* copyOut(client: Client, text: string): AsyncGenerator<Buffer> {
  const query = copyQuery(text)
  client.query(query)
  for (;;) {
    const bytes = await query.next()
    if (bytes === undefined) return
    yield bytes
  }
}

function copyQuery(text: string) {
  let connection: DriverConnection | undefined
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let ended: { readonly error?: Error } | undefined
  let changed = Promise.withResolvers<void>()

  const end = (error?: Error): void => {
    ended ??= error === undefined ? {} : { error }
    changed.resolve()
  }

  return {
    /** What has arrived, or undefined at the end. */
    next: async (): Promise<Buffer | undefined> => {
      for (;;) {
        if (waitingBytes > 0) {
          const bytes = Buffer.concat(waiting, waitingBytes)
          waiting = []
          waitingBytes = 0
          connection?.stream.resume()
          return bytes
        }
        if (ended?.error !== undefined) throw ended.error
        if (ended !== undefined) return undefined
        await changed.promise
        changed = Promise.withResolvers()
      }
    },

    // The driver calls the following methods.

    submit: (to: unknown): void => {
      connection = to as DriverConnection
      connection.query(text)
    },
    handleCopyData: ({ chunk }: { readonly chunk: Buffer }): void => {
      // A copy, because the driver's parser uses its buffer again.
      waiting.push(Buffer.from(chunk))
      waitingBytes += chunk.length
      if (waitingBytes >= mostWaitingBytes) connection?.stream.pause()
      changed.resolve()
    },
    handleCommandComplete: (): void => {},
    handleReadyForQuery: (): void => end(),
    handleError: (error: Error): void => end(error),
  }
}
