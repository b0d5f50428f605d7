import { testToken } from '../../../packages/service/test/support/test-access.ts'
import { listing, searching } from '../../../packages/service/test/support/page-revisions.ts'
import { resealed } from '../../../packages/service/test/support/reseal-token.ts'
import type { WirePage } from '../../../packages/service/test/support/walk-over-http.ts'
import { keyOf } from '../../harness/sample-employees.ts'
import { checkObjects } from '../data/expected-objects.ts'
import type { SpeedData } from '../data/prepare-data.ts'
import { runWrk } from '../load/wrk.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import { askJson, type BenchRequest } from '../../harness/ask-json.ts'
import type { Contestant } from './contestant.ts'
import { depthsOf, walkOf } from './depths.ts'
import type { PageKind } from './page-kind.ts'

export interface OctavoPages extends Contestant {
  /** Requests for pages all over the collection, with page tokens that are valid for a quarter of an hour from now. */
  readonly requests: () => Promise<readonly BenchRequest[]>
}

/** One process, or several that share the connections. */
export function octavo(data: SpeedData, services: readonly ServerProcess[], kind: PageKind): OctavoPages {
  const { collection, before, objects } = data
  const { pageSize, mode } = kind
  const depths = depthsOf(objects, pageSize)
  const revision = kind.revision === '1.0' ? listing : searching
  const urls = services.map(({ url }) => url)

  const requestFor = (pageToken: string | undefined): BenchRequest => {
    const { path, init } = revision.call(collection, { pageSize, snapshot: mode === 'snapshot', pageToken })
    return { ...init, path, headers: { authorization: `Bearer ${testToken}`, ...init.headers } }
  }

  // A token of the service, moved to other positions. A walk from the beginning would get there too, page by page; but a walk
  // of revision 1.0 ends at its 10,000th object, and all contestants must read the same pages.
  const requestsAt = async (positions: readonly number[]): Promise<readonly BenchRequest[]> => {
    const { nextPageToken } = (await askJson(urls[0] ?? '', requestFor(undefined))) as WirePage
    if (nextPageToken === undefined) throw new Error('The first page came without a page token.')
    return positions.map((after) =>
      requestFor(
        resealed(nextPageToken, ({ walk, ...claims }) => ({
          ...claims,
          walk: {
            ...walk,
            position: [keyOf(after)],
            mode: mode === 'snapshot' ? { kind: 'snapshot', ...before } : walk.mode,
          },
        })),
      ),
    )
  }

  return {
    name: services.length === 1 ? 'Octavo' : `Octavo, ${services.length} processes`,
    pageSize,
    pids: services.map(({ pid }) => pid),
    requests: () => requestsAt(depths.all),
    check: async () => {
      const requests = await requestsAt(depths.some)
      for (const url of urls) {
        for (const [i, request] of requests.entries()) {
          const page = (await askJson(url, request)) as WirePage
          checkObjects(
            page.data.map(({ properties }) => properties),
            { after: depths.some[i] ?? 0, pageSize, mode },
          )
          if (page.nextPageToken === undefined) throw new Error('A page in the middle has no page token.')
          if (kind.revision === '1.0' && page.totalCount !== String(objects)) {
            throw new Error(`The total is ${page.totalCount}, not ${objects}.`)
          }
        }
      }
    },
    load: async (options) =>
      runWrk({
        ...options,
        urls,
        requests: await requestsAt(depths.all),
        walk: walkOf(depths, { next: '"nextPageToken":"([^"]+)"', requestFor }),
      }),
  }
}
