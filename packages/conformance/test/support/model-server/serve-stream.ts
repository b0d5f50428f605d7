// Serves a stream: the pages of a snapshot walk, a record a line.
import { pageSizes } from '@octavo/protocol'
import type { ModelAsk } from './model-ask.ts'
import { refuse } from './model-refusal.ts'
import { servePage, type PageParts } from './serve-page.ts'

/** The text of a stream, which is sent as it is. */
export class ModelStream {
  readonly text: string

  constructor(lines: readonly object[]) {
    this.text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  }
}

/** Understands what the kit and our client send; everything else is JSON. */
export function wantsStream(accept = '*/*'): boolean {
  const weights = new Map(
    accept.split(',').map((member) => {
      const [, name = '', weight = '1'] = /^\s*([^;\s]+)(?:;q=([\d.]+))?\s*$/.exec(member) ?? []
      return [name, Number(weight)] as const
    }),
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*/*') ?? 0
  return weightOf('application/x-ndjson') > weightOf('application/json')
}

interface ModelPage {
  readonly data: readonly object[]
  readonly nextPageToken?: unknown
}

export function serveStream(parts: PageParts, asked: ModelAsk, text: string, caller: string): ModelStream {
  if ((JSON.parse(text) as { readonly snapshot?: unknown }).snapshot === false) {
    refuse('InvalidParameterValue', { parameterId: 'snapshot', parameterValue: 'false' })
  }
  const ask = { ...asked, snapshot: true, pageSize: asked.pageSize ?? pageSizes.search.maximum }
  const pageFrom = (pageToken: unknown, pageSize = ask.pageSize) =>
    servePage(parts, { ...ask, pageToken, pageSize }, caller) as ModelPage
  const lines: object[] = []
  let objects = 0
  for (let { pageToken } = ask; ;) {
    const { data, nextPageToken, ...facts } = pageFrom(pageToken)
    lines.push(...data)
    objects += data.length
    if (typeof nextPageToken !== 'string' || nextPageToken === '') {
      const end = parts.steps.endLine({ type: 'end', objects, ...facts }, lines.length)
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
