// Serves a total without a page: how many objects match, in one state.
import { pageSizes, type Count } from '@octavo/protocol'
import { findObjectType } from '../../catalog/find-object-type.ts'
import { followRequest } from '../walk/follow-request.ts'
import { planPage } from '../plan/plan-page.ts'
import { resolveNames } from '../request/resolve-names.ts'
import { observeAsked } from '../walk/observe-asked.ts'
import type { PageService } from '../walk/page-service.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import { stateOf } from '../walk/state-of.ts'
import { countMatches } from '../rows/numbers/count-matches.ts'
import { estimateMatches } from '../rows/numbers/estimate-matches.ts'

export type CountArrival = Pick<PageArrival, 'requestId' | 'caller' | 'target' | 'parse' | 'signal' | 'hold'>

export async function serveCount(service: PageService, arrival: CountArrival): Promise<Count> {
  const { caller, signal } = arrival
  const { store } = service
  const parsed = arrival.parse()
  arrival.hold(await service.admission.reserve(caller.subject, signal))
  const { ontology, type } = await findObjectType(service, caller, arrival.target)
  return store.catalog.withFreshType(ontology, type, async (fresh) => {
    const request = resolveNames(parsed, fresh)
    const { claims } = caller
    const followed = await followRequest(service, {
      ontology,
      type: fresh,
      request,
      claims,
      signal,
    })
    const plan = await planPage({
      type: fresh,
      request: { ...request, snapshot: true, pageSize: pageSizes.search.maximum },
      claims,
      walk: undefined,
      named: followed?.at ?? (await stateOf(service, request, { ontology, type: fresh })),
      estimate: (...asked) => estimateMatches(store, fresh, ...asked),
      followed,
    })
    const { count, isBound } = await countMatches(store, plan, signal)
    observeAsked(service, arrival, { endpoint: 'countObjects', ontology, type: fresh })
    return {
      totalCount: String(count),
      ...(isBound && { totalCountIsLowerBound: true as const }),
      version: plan.at.kind === 'snapshot' ? plan.at.version : '',
    }
  })
}
