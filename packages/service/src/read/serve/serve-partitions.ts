// Serves the partitions of a collection: page tokens that each end where the next partition begins, so that several readers share one state.
import type { PageToken, Partitions } from '@octavo/protocol'
import { everything } from '../../catalog/filter/filter.ts'
import { refuseLinks } from '../links/linked-queries.ts'
import { chooseOrder } from '../plan/choose-order.ts'
import { orderName } from '../plan/page-plan.ts'
import { filtersOf } from '../plan/plan-page.ts'
import type { ParsedPartitions } from '../request/parse-search-request.ts'
import { resolveNames } from '../request/resolve-names.ts'
import { countMatches, type Total } from '../rows/numbers/count-matches.ts'
import { partitionCollection } from '../rows/numbers/partition-collection.ts'
import { checksumText } from '../rows/state/page-clock.ts'
import { sealPageToken } from '../token/seal-page-token.ts'
import { sealSnapshotToken } from '../token/snapshot-token.ts'
import { forAnyCaller } from '../token/token-binding.ts'
import { planFollowed } from '../walk/follow-request.ts'
import { bindingOf, namedOrLatest } from '../walk/open-request.ts'
import type { PageService } from '../walk/page-service.ts'
import { observeRead, withType, type RequestContext, type TypeArrival } from '../walk/type-context.ts'

export interface PartitionsArrival extends TypeArrival {
  readonly parse: () => ParsedPartitions
}

export async function servePartitions(service: PageService, arrival: PartitionsArrival): Promise<Partitions> {
  const parsed = arrival.parse()
  return withType(service, arrival, async (typeContext) => {
    const { type, caller, signal } = typeContext
    const request = { ...resolveNames(parsed.request, type), after: typeContext.after }
    const context = { ...typeContext, request }
    refuseLinks(request.query, 'partitions')
    const { policy, filter } = filtersOf(type, request, caller.claims)
    const at = await namedOrLatest(context)
    const visible = policy === everything ? undefined : await countVisible(context)
    const { clock, partitions } = await partitionCollection(
      service.store.database,
      type,
      { at, filter, visible, partitionCount: parsed.partitionCount },
      signal,
    )
    const binding = forAnyCaller(bindingOf(context, { named: at }))
    const isWhole = filter === everything
    const total = clock.snapshotLive ?? clock.live
    const checksum = isWhole && request.select === undefined ? checksumText(clock) : undefined
    observeRead(context, { endpoint: 'partitionObjects', mode: 'snapshot' })
    return {
      data: partitions.map(({ end, share }, i) => {
        const start = partitions[i - 1]?.end
        const walk = {
          id: service.newWalkId(),
          mode: at,
          order: isWhole ? undefined : orderName(chooseOrder(type, [])),
          total: undefined,
          served: 0,
          position: start === undefined ? undefined : [start],
          partition: { end },
        }
        return {
          pageToken: sealPageToken(service.sealer, walk, { binding, now: service.now() }) as PageToken,
          ...(isWhole && { estimatedObjectCount: Math.round(Number(total) * share) }),
        }
      }),
      snapshotToken: sealSnapshotToken(context, [type], new Map([[type.id, at]])),
      version: at.version,
      // Of all partitions together (P257).
      ...(isWhole && { totalCount: total }),
      ...(checksum !== undefined && { checksum }),
    }
  })
}

/** How many objects there are now for a caller who does not see all of them. */
async function countVisible(context: RequestContext): Promise<Total> {
  const request = { ...context.request, snapshot: false }
  const plan = await planFollowed({ ...context, request }, undefined)
  return countMatches(context.service.store, plan, context.signal)
}
