import { headers, mediaTypes, type BatchLine } from '@octavo/protocol'
import { sendTo } from '../exchange/send.ts'
import { ndjsonOf, WriterFailed, type Writer } from './writer.ts'

/** The endpoint for batches of one type (P130). */
const batchesPath = /^\/manage\/v1\/ontologies\/[^/]+\/objectTypes\/[^/]+\/batches$/

/** Posts each batch as NDJSON, in the lines that P131 defines. */
export function urlWriter(url: string, token: string): Writer {
  const requestOf = (lines: readonly BatchLine[]) => ({
    method: 'POST' as const,
    headers: { [headers.contentType]: mediaTypes.ndjson },
    body: ndjsonOf(lines),
  })
  const write: Writer['write'] = async (lines) => {
    const request = requestOf(lines)
    const response = await fetch(url, {
      ...request,
      headers: { ...request.headers, [headers.authorization]: `Bearer ${token}` },
    }).catch((error: unknown) => {
      throw new WriterFailed(`The writer at ${url} does not answer (${String(error)}): check --writer-url.`)
    })
    const text = await response.text()
    if (!response.ok) {
      throw new WriterFailed(
        `The writer at ${url} answered ${response.status} ${text.slice(0, 500)}: check --writer-url and --writer-token.`,
      )
    }
  }
  const { origin, pathname: path } = new URL(url)
  if (!batchesPath.test(path)) return { write }
  return {
    write,
    attempt: (lines, more) => {
      const request = requestOf(lines)
      return sendTo({ url: origin, token })({ ...request, path, headers: { ...request.headers, ...more } })
    },
  }
}
