import type { AnyErrorBody } from '@octavo/protocol'
import { limits } from '@octavo/protocol/vocabulary'
import { jsonOf } from './json-of.ts'
import type { AskOctavo } from './ask-octavo.ts'
import { Refused, ToolError } from './tool-error.ts'

/** Octavo as one call of a tool sees it. A refusal is thrown. The shapes of answers are not checked: they are the service's own. */
export interface Octavo {
  readonly get: <Answer>(path: string) => Promise<Answer>
  readonly post: <Answer>(path: string, body: object) => Promise<Answer>
  /** Every item of a list in all its pages. */
  readonly list: <Item>(path: string) => Promise<readonly Item[]>
}

interface ListPage<Item> {
  readonly data: readonly Item[]
  readonly nextPageToken?: string
}

export function octavoFor(ask: AskOctavo, signal: AbortSignal): Octavo {
  const send = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const answer = await ask({ path, ...(body !== undefined && { body: jsonOf(body) }) }, signal)
    if (answer.status === 200) return answer.body as Answer
    throw refusalOf(answer.body)
  }
  return {
    get: (path) => send(path),
    post: (path, body) => send(path, body),
    list: async <Item>(path: string) => {
      const items: Item[] = []
      let query = `?pageSize=${limits.page.manageMaximum}`
      // A page size above the maximum of a list is reduced to it (P20).
      for (;;) {
        const page: ListPage<Item> = await send(`${path}${query}`)
        items.push(...page.data)
        if (page.nextPageToken === undefined) return items
        query = `?pageSize=${limits.page.manageMaximum}&pageToken=${page.nextPageToken}`
      }
    },
  }
}

/** A path of the HTTP interface, with each value encoded: requestPath`/api/${apiFamily}/v1/snapshots`. */
export const requestPath = (texts: TemplateStringsArray, ...values: readonly string[]): string =>
  texts.reduce((path, text, i) => `${path}${encodeURIComponent(values[i - 1] ?? '')}${text}`)

function refusalOf(body: unknown): ToolError {
  const { errorName, errorDescription, parameters } = (body ?? {}) as Partial<AnyErrorBody>
  if (errorName === undefined || errorDescription === undefined) {
    return new ToolError('Octavo gave an answer that cannot be read. Send the same call again.')
  }
  return new Refused(`${errorDescription} (${errorName})`, errorName, parameters ?? {})
}
