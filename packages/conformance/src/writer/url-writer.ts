import { headers, mediaTypes } from '@octavo/protocol'
import { ndjsonOf, WriterFailed, type Writer } from './writer.ts'

/** Posts each batch as NDJSON, in the lines that P131 defines. */
export const urlWriter = (url: string, token: string): Writer => ({
  write: async (lines) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { [headers.contentType]: mediaTypes.ndjson, [headers.authorization]: `Bearer ${token}` },
      body: ndjsonOf(lines),
    }).catch((error: unknown) => {
      throw new WriterFailed(`The writer at ${url} does not answer (${String(error)}): check --writer-url.`)
    })
    const text = await response.text()
    if (!response.ok) {
      throw new WriterFailed(
        `The writer at ${url} answered ${response.status} ${text.slice(0, 500)}: check --writer-url and --writer-token.`,
      )
    }
  },
})
