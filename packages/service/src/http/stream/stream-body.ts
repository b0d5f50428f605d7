// The body of a stream. A page is read only when the one before it has been handed to the network, so a client that reads slowly
// holds one page of memory, and neither a connection to the database nor a transaction.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { withoutHurry } from '../abort-signal.ts'
import { type StreamPage, serveStream, type StreamArrival } from '../../read/serve/serve-stream.ts'
import type { PageService } from '../../read/walk/page-service.ts'

interface StreamBodyOptions {
  readonly first: IteratorResult<StreamPage, unknown>
  readonly pages: AsyncGenerator<StreamPage>
  readonly response: ServerResponse
  readonly errorLine: (error: unknown) => Buffer
}

class StreamBody extends Readable {
  readonly #parts: StreamBodyOptions
  #first: IteratorResult<StreamPage, unknown> | undefined
  /** The page that is being sent. */
  #sending: StreamPage | undefined

  constructor(parts: StreamBodyOptions) {
    // With a mark of 0, nothing is read ahead of what the response takes.
    super({ highWaterMark: 0 })
    this.#parts = parts
    this.#first = parts.first
    parts.response.on('close', () => this.#close())
    if (parts.response.destroyed) this.#close()
  }

  /** Called when everything that was pushed before has been taken. */
  override _read(): void {
    void this.#pushPage()
  }

  async #pushPage(): Promise<void> {
    const { response, pages, errorLine } = this.#parts
    // A small page may still be on its way: then its memory is left to the garbage collector.
    this.#endPage(response.writableLength === 0)
    try {
      const { done, value } = this.#first ?? (await withoutHurry(response, () => pages.next()))
      this.#first = undefined
      if (done) {
        this.push(null)
        return
      }
      this.#sending = value
      // Nobody waits for it any more.
      if (this.destroyed) this.#endPage(true)
      else this.push(value.body)
    } catch (error) {
      if (this.destroyed) return
      this.push(errorLine(error))
      this.push(null)
    }
  }

  #endPage(isSent: boolean): void {
    this.#sending?.release()
    if (isSent) this.#sending?.sent()
    this.#sending = undefined
  }

  #close(): void {
    const { first } = this.#parts
    // The first page was never pushed.
    if (this.#first !== undefined && !first.done) this.#sending = first.value
    this.#first = undefined
    this.#endPage(true)
    this.destroy()
  }
}

/** Answers with a whole walk, a record a line. A failure before the first line is an error like any other (P262). */
export async function replyWithStream(
  service: PageService,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  arrival: StreamArrival,
): Promise<FastifyReply> {
  const pages = serveStream(service, arrival)
  const first = await pages.next()
  const body = new StreamBody({
    first,
    pages,
    response: reply.raw,
    errorLine: (error) => {
      const { body: failure } = request.server.failureOf(error, request.id)
      return Buffer.from(`${JSON.stringify({ type: 'error', ...failure })}\n`)
    },
  })
  return reply.header(headers.contentType, mediaTypes.ndjson).send(body)
}
