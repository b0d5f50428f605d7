// A whole search without HTTP, so that a test can set the store's clock and see the requests to the store.
import { streamTurns } from '../../src/guard/admit/stream-turns.ts'
import { clockWatch } from '../../src/read/wait/clock-watch.ts'
import { randomHex } from '../../src/guard/auth/random.ts'
import { ServiceError } from '../../src/base/errors/service-error.ts'
import { stageTimer } from '../../src/observe/stage-timer.ts'
import { parseSearchRequest, parseExportRequest } from '../../src/read/request/parse-search-request.ts'
import type { PageService } from '../../src/read/walk/page-service.ts'
import { servePage } from '../../src/read/serve/serve-page.ts'
import { serveStream } from '../../src/read/serve/serve-stream.ts'
import { tokenSealer } from '../../src/read/token/token-sealer.ts'
import { testAdmission } from './test-admission.ts'
import type { WirePage } from './walk-over-http.ts'

export type SearchAnswer = { readonly page: WirePage } | { readonly refusal: ServiceError }

export interface SearchTarget {
  readonly store: PageService['store']
  readonly apiFamily: string
  readonly objectType: string
}

const caller = { subject: 'somebody', groups: [], rights: new Set(['read'] as const), claims: {} }

const serviceOn = ({ store }: Pick<SearchTarget, 'store'>): PageService => ({
  access: {
    roles: async () => new Map((await store.catalog.ontologies()).map(({ rid }) => [rid, 'reader' as const])),
    recheck: async () => {},
  },
  store,
  sealer: tokenSealer([{ id: 'a', bytes: Buffer.alloc(32, 1) }]),
  admission: testAdmission(),
  streams: streamTurns(2, () => performance.now()),
  watch: clockWatch({ newestStates: store.newestStates, accessVersion: async () => '' }),
  retentionSeconds: 3_600,
  aggregateObjects: 100_000,
  requestTimeoutMs: 60_000,
  now: () => new Date(),
  newWalkId: () => randomHex(16),
  observe: () => {},
})

/** The same steps as in the search route, with the same errors. */
export function searchInProcess({ store, apiFamily, objectType }: SearchTarget) {
  const service = serviceOn({ store })
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
  const pages = serveStream(serviceOn({ store }), {
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
