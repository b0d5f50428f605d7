import { Client, type ClientConfig } from 'pg'
import { bytesParser } from './bytes-parser.ts'

interface DriverConnection {
  attachListeners: (stream: NodeJS.ReadableStream) => void
  emit: (name: string, message: unknown) => void
}

/** The driver's client with a parser that can hand over bytes. */
export class BytesClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config)
    const { connection } = this as unknown as { readonly connection: DriverConnection }
    connection.attachListeners = (stream) => {
      const parser = bytesParser()
      stream.on('data', (chunk: Buffer) => {
        parser.parse(chunk, (message) => {
          // As in the driver: an error of the server is an event apart from errors of the socket.
          connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message)
        })
      })
    }
  }
}
