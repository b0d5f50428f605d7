// Serves a stream: the pages of a snapshot walk, an object a line.
import { exportRequestSchema, pageSizes } from '@octavo/protocol'
import type { ModelAsk } from './model-ask.ts'
import { refuseUnknown } from './read-list-ask.ts'
import { jsonObjectIn, readSearchAsk } from './read-search-ask.ts'
import { servePage, type PageParts } from './serve-page.ts'

/** The text of a stream, which is sent as it is. */
export class ModelStream {
  readonly text: string

  constructor(lines: readonly object[]) {
    this.text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  }
}

/** The mode is no field of it. */
export function readExportAsk(objectType: string, text: string): ModelAsk {
  const body = jsonObjectIn(text)
  refuseUnknown(Object.keys(body), Object.keys(exportRequestSchema.properties))
  return readSearchAsk(objectType, JSON.stringify({ query: { type: 'empty' }, ...body }))
}

interface ModelPage {
  readonly data: readonly object[]
  readonly nextPageToken?: unknown
}

export function serveStream(parts: PageParts, asked: ModelAsk, caller: string): ModelStream {
  const ask = { ...asked, snapshot: true, pageSize: asked.pageSize ?? pageSizes.search.maximum }
  const pageFrom = (pageToken: unknown, pageSize = ask.pageSize) =>
    servePage(parts, { ...ask, pageToken, pageSize }, caller) as ModelPage
  const lines: object[] = []
  let objects = 0
  for (let { pageToken } = ask; ;) {
    const { data, nextPageToken, ...facts } = pageFrom(pageToken)
    lines.push(...data.map((object) => ({ type: 'object', object })))
    objects += data.length
    if (typeof nextPageToken !== 'string' || nextPageToken === '') {
      const end = parts.steps.endLine({ type: 'end', objectCount: objects, ...facts }, lines.length)
      return new ModelStream(end === undefined ? lines : [...lines, end])
    }
    const shown = parts.steps.streamToken(
      nextPageToken,
      (count) => pageFrom(nextPageToken, count).nextPageToken,
    )
    lines.push({ type: 'page', nextPageToken: shown })
    pageToken = nextPageToken
  }
}
