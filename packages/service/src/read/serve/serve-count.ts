// Serves a total without a page: how many objects match, in one state.
import { pageSizes, type Count } from '@octavo/protocol'
import { resolveNames } from '../request/resolve-names.ts'
import { followRequest, planFollowed } from '../walk/follow-request.ts'
import { namedOrLatest } from '../walk/open-request.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import type { PageService } from '../walk/page-service.ts'
import { observeRead, withType, type TypeArrival } from '../walk/type-context.ts'
import { countMatches } from '../rows/numbers/count-matches.ts'

export type CountArrival = TypeArrival & Pick<PageArrival, 'parse'>

export async function serveCount(service: PageService, arrival: CountArrival): Promise<Count> {
  const parsed = arrival.parse()
  return withType(service, arrival, async (typeContext) => {
    const request = resolveNames(parsed, typeContext.type)
    const context = {
      ...typeContext,
      request: {
        ...request,
        snapshot: true,
        pageSize: pageSizes.search.maximum,
        after: typeContext.after,
      },
    }
    const followed = await followRequest(context)
    const at = followed?.at ?? (await namedOrLatest(context))
    const plan = await planFollowed(context, followed, { named: at })
    const { count, isBound } = await countMatches(service.store, plan, context.signal)
    observeRead(context, { endpoint: 'countObjects', mode: 'snapshot' })
    return {
      totalCount: String(count),
      ...(isBound && { totalCountIsLowerBound: true as const }),
      version: at.version,
    }
  })
}
