// Serves the partitions of a collection: page tokens that each end where the next partition begins, so that several readers share one state.
import type { PageToken, Partitions } from '@octavo/protocol'
import { everything } from '../../catalog/filter/filter.ts'
import { findObjectType } from '../../catalog/find-object-type.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { orderName } from '../plan/page-plan.ts'
import { chooseOrder } from '../plan/choose-order.ts'
import { refuseLinks } from '../links/linked-queries.ts'
import { filtersOf, planPage } from '../plan/plan-page.ts'
import type { PageRequest } from '../request/page-request.ts'
import type { ParsedPartitions } from '../request/parse-search-request.ts'
import { requestIdentity } from '../request/request-identity.ts'
import { resolveNames } from '../request/resolve-names.ts'
import type { Total } from '../rows/numbers/count-matches.ts'
import { checksumText } from '../rows/state/page-clock.ts'
import { observeAsked } from '../walk/observe-asked.ts'
import type { PageService } from '../walk/page-service.ts'
import type { ReadStore } from '../walk/read-store.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import { stateOf } from '../walk/state-of.ts'
import { sealPageToken } from '../token/seal-page-token.ts'
import { sealSnapshotToken, viewOf } from '../token/snapshot-token.ts'
import { forAnyCaller, tokenBinding } from '../token/token-binding.ts'

export interface PartitionsArrival extends Pick<
  PageArrival,
  'requestId' | 'caller' | 'target' | 'signal' | 'hold'
> {
  readonly parse: () => ParsedPartitions
}

export async function servePartitions(service: PageService, arrival: PartitionsArrival): Promise<Partitions> {
  const { caller, signal } = arrival
  const { store, sealer } = service
  const parsed = arrival.parse()
  arrival.hold(await service.admission.reserve(caller.subject, signal))
  const { ontology, type } = await findObjectType(service, caller, arrival.target)
  return store.catalog.withFreshType(ontology, type, async (fresh) => {
    const request = resolveNames(parsed.request, fresh)
    refuseLinks(request.query, 'partitions')
    const { policy, filter } = filtersOf(fresh, request, caller.claims)
    const state = await stateOf(service, request, { ontology, type: fresh })
    const visible =
      policy === everything ? undefined : await countVisible(store, { type: fresh, request, caller, signal })
    const wanted = { at: state, filter, visible, partitionCount: parsed.partitionCount }
    const { clock, partitions } = await store.partitionCollection(fresh, wanted, signal)

    const place = { ontologyRid: ontology.rid, objectType: fresh.apiName, named: state }
    const binding = forAnyCaller(tokenBinding(caller, requestIdentity(request, place)))
    const isWhole = filter === everything
    const total = clock.snapshotLive ?? clock.live
    const checksum = isWhole && request.select === undefined ? checksumText(clock) : undefined
    observeAsked(service, arrival, { endpoint: 'partitionObjects', ontology, type: fresh })
    return {
      data: partitions.map(({ end, share }, i) => {
        const start = partitions[i - 1]?.end
        const walk = {
          id: service.newWalkId(),
          mode: state,
          order: isWhole ? undefined : orderName(chooseOrder(fresh, [])),
          total: undefined,
          served: 0,
          position: start === undefined ? undefined : [start],
          partition: { end },
        }
        return {
          pageToken: sealPageToken(sealer, walk, { binding, now: service.now() }) as PageToken,
          ...(isWhole && { estimatedObjectCount: Math.round(Number(total) * share) }),
        }
      }),
      snapshotToken: sealSnapshotToken(
        sealer,
        { ...state, view: viewOf(fresh, caller.claims) },
        { ontology, type: fresh },
      ),
      version: state.version,
      // Of all partitions together (P257).
      ...(isWhole && { totalCount: total }),
      ...(checksum !== undefined && { checksum }),
    }
  })
}

interface Seen extends Pick<PartitionsArrival, 'caller' | 'signal'> {
  readonly type: ObjectType
  readonly request: PageRequest
}

/** How many objects there are now for a caller who does not see all of them. */
async function countVisible(store: ReadStore, { type, request, caller, signal }: Seen): Promise<Total> {
  const plan = await planPage({
    type,
    request: { ...request, snapshot: false },
    claims: caller.claims,
    walk: undefined,
    estimate: (...asked) => store.estimateMatches(type, ...asked),
  })
  return store.countMatches(plan, signal)
}
