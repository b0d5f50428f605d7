// Serves numbers about objects: of all that match, or of groups of them, in one state.
import type { Aggregate } from '@octavo/protocol'
import { findObjectType } from '../../catalog/find-object-type.ts'
import { followRequest } from '../walk/follow-request.ts'
import { writeAggregate } from '../page/write-aggregate.ts'
import { planAggregate } from '../plan/plan-aggregate.ts'
import type { ParsedAggregate } from '../request/parse-aggregate-request.ts'
import { observeAsked } from '../walk/observe-asked.ts'
import type { PageService } from '../walk/page-service.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import { openNamed } from '../token/snapshot-token.ts'

export interface AggregateArrival extends Pick<
  PageArrival,
  'requestId' | 'caller' | 'target' | 'signal' | 'hold'
> {
  readonly parse: () => ParsedAggregate
}

export async function serveAggregate(service: PageService, arrival: AggregateArrival): Promise<Aggregate> {
  const { caller, signal } = arrival
  const { store, sealer } = service
  const wanted = arrival.parse()
  arrival.hold(await service.admission.reserve(caller.subject, signal))
  const { ontology, type } = await findObjectType(service, caller, arrival.target)
  return store.catalog.withFreshType(ontology, type, async (fresh) => {
    const { request } = wanted
    const { claims } = caller
    const followed = await followRequest(service, { ontology, type: fresh, request, claims, signal })
    const planned = await planAggregate({
      type: fresh,
      wanted,
      claims,
      // Without a token, the statement that reads the latest state says which one it was.
      named: openNamed(sealer, request, { ontology, type: fresh }),
      estimate: (...asked) => store.estimateMatches(fresh, ...asked),
      followed,
    })
    const plan = followed ? { ...planned, objects: { ...planned.objects, at: followed.at } } : planned
    const rows = await store.readAggregate(plan, { budget: service.aggregateObjects, signal })
    observeAsked(service, arrival, { endpoint: 'aggregateObjects', ontology, type: fresh })
    return writeAggregate(plan, rows)
  })
}
