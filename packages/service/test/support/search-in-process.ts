// A whole search without HTTP, so that a test can set the store's clock and see the requests to the store.
import { ServiceError } from '../../src/base/errors/service-error.ts'
import { stageTimer } from '../../src/observe/stage-timer.ts'
import { parseSearchRequest, parseExportRequest } from '../../src/read/request/parse-search-request.ts'
import type { PageService } from '../../src/read/walk/page-service.ts'
import { servePage } from '../../src/read/serve/serve-page.ts'
import { serveStream } from '../../src/read/serve/serve-stream.ts'
import { pageServiceOn } from './page-service-on.ts'
import type { WirePage } from './walk-over-http.ts'

export type SearchAnswer = { readonly page: WirePage } | { readonly refusal: ServiceError }

export interface SearchTarget {
  readonly store: PageService['store']
  readonly apiFamily: string
  readonly objectType: string
}

const caller = { subject: 'somebody', groups: [], rights: new Set(['read'] as const), claims: {} }

/** The same steps as in the search route, with the same errors. */
export function searchInProcess({ store, apiFamily, objectType }: SearchTarget) {
  const service = pageServiceOn(store)
  return async (body: unknown): Promise<SearchAnswer> => {
    const held: (() => void)[] = []
    try {
      const { body: page, sent } = await servePage(service, {
        requestId: 'in-process',
        caller,
        target: { kind: 'family', apiFamily, objectType },
        parse: () => parseSearchRequest(body),
        signal: new AbortController().signal,
        timer: stageTimer(),
        hold: ({ release }) => held.push(release),
      })
      held.push(sent)
      return { page: JSON.parse(page.toString()) as WirePage }
    } catch (error) {
      if (error instanceof ServiceError) return { refusal: error }
      throw error
    } finally {
      for (const release of held) release()
    }
  }
}

/** The pages of a stream, as text, by the same steps as in the route of exports. */
export async function* streamInProcess({ store, apiFamily, objectType }: SearchTarget, body: unknown) {
  const pages = serveStream(pageServiceOn(store), {
    requestId: 'in-process',
    target: { kind: 'family', apiFamily, objectType },
    parse: () => parseExportRequest({}, body),
    caller: async () => caller,
    inTime: (work) => work(new AbortController().signal),
    stopping: new AbortController().signal,
  })
  for await (const page of pages) {
    yield page.body.toString()
    page.release()
    page.sent()
  }
}
