// The body of a stream. A page is read only when the one before it has been handed to the network, so a client that reads slowly
// holds one page of memory, and neither a connection to the database nor a transaction.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { withoutHurry } from '../abort-signal.ts'
import type { StreamPage } from '../../read/serve/serve-stream.ts'

export interface StreamBodyParts {
  readonly first: IteratorResult<StreamPage, unknown>
  readonly pages: AsyncGenerator<StreamPage>
  readonly response: ServerResponse
  readonly errorLine: (error: unknown) => Buffer
}

export class StreamBody extends Readable {
  readonly #parts: StreamBodyParts
  #first: IteratorResult<StreamPage, unknown> | undefined
  /** The page that is being sent. */
  #sending: StreamPage | undefined

  constructor(parts: StreamBodyParts) {
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
