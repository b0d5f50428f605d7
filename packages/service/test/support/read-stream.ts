// Reads a stream as a client does, line by line, and checks what holds for every one.
import { searching, type Collection, type PageAsk } from './page-revisions.ts'
import type { TestRequest, TestService } from './start-test-service.ts'
import type { Answer, WirePage } from './walk-over-http.ts'

export interface StreamAsk extends PageAsk {
  readonly query?: unknown
}

export interface WireStream {
  readonly text: string
  /** The objects, as many as come before each line `page`, and after the last one. */
  readonly pages: readonly WirePage['data'][]
  readonly records: WirePage['data']
  readonly pageTokens: readonly string[]
  /** The last line; undefined if it is another. */
  readonly end: Readonly<Record<string, unknown>> | undefined
}

export const streamCall = (collection: Collection, ask: StreamAsk = {}): [string, TestRequest] => {
  const { path, init } = searching.call(collection, ask)
  return [path.replace(/search$/, 'export'), init]
}

export async function askForStream(
  service: Pick<TestService, 'fetch'>,
  collection: Collection,
  ask: StreamAsk = {},
): Promise<Answer> {
  const response = await service.fetch(...streamCall(collection, ask))
  return { status: response.status, text: await response.text(), headers: response.headers }
}

export async function readStream(
  service: Pick<TestService, 'fetch'>,
  collection: Collection,
  ask: StreamAsk = {},
): Promise<WireStream> {
  const { status, text } = await askForStream(service, collection, ask)
  if (status !== 200) throw new Error(`${status} ${text.slice(0, 500)}`)
  return linesOf(text)
}

export function linesOf(text: string): WireStream {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('the last line has no end')
  const pages: Array<Array<WirePage['data'][number]>> = [[]]
  const pageTokens: string[] = []
  let end: WireStream['end']
  for (const line of lines) {
    if (end !== undefined) throw new Error(`a line after the end: ${line}`)
    const value = JSON.parse(line)
    if (value.type === 'object') pages.at(-1)?.push(value.object)
    else if (value.type === 'page') {
      pageTokens.push(value.nextPageToken)
      pages.push([])
    } else end = value
  }
  return { text, pages, records: pages.flat(), pageTokens, end }
}
