// What a reader needs to go on when the state that its walk shows is no longer kept, or its page token has expired: the changes of
// the objects that it has got, and the rest in the latest state (P246). Nothing is read twice.
import type { ErrorName, PageToken, ContinueWith } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { everything } from '../../catalog/filter/filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import { chooseOrder } from '../plan/choose-order.ts'
import { linkedQueries } from '../links/linked-queries.ts'
import { filtersOf } from '../plan/plan-page.ts'
import type { PageRequest } from '../request/page-request.ts'
import { requestIdentity } from '../request/request-identity.ts'
import type { PageService } from './page-service.ts'
import { stateOf } from './state-of.ts'
import type { Captured, Walk } from '../token/walk.ts'
import { sealPageToken } from '../token/seal-page-token.ts'
import { sealSnapshotToken, viewOf } from '../token/snapshot-token.ts'
import { tokenBinding } from '../token/token-binding.ts'

export interface WalkPlace {
  readonly request: PageRequest
  readonly caller: Caller
  readonly ontology: Ontology
  readonly type: ObjectType
}

/** Serves a page. If it is refused for the age of its token or of its state, the error says how to go on where that can be said. */
export async function orContinueWith<Page>(
  service: PageService,
  place: WalkPlace,
  serve: () => Promise<Page>,
): Promise<Page> {
  try {
    return await serve()
  } catch (error) {
    const isGone = isRefused(error, 'ConsistentSnapshotError')
    // In default mode no state was promised. One that a page with links has named for itself is gone only after a failover.
    if (isGone && !place.request.snapshot) {
      throw new ServiceError('Overloaded', { retryAfterSeconds: 1 }, { cause: error })
    }
    const isOver = isGone || isExpired(error)
    const continueWith = isOver ? await continueWithOf(service, place) : undefined
    if (!isOver || continueWith === undefined) throw error
    throw new ServiceError(error.errorName, { ...error.parameters, continueWith })
  }
}

const isExpired = (error: unknown): error is ServiceError<'InvalidPageToken'> =>
  isRefused(error, 'InvalidPageToken') && error.parameters.reason === 'expired'

const isRefused = <Name extends ErrorName>(error: unknown, name: Name): error is ServiceError<Name> =>
  error instanceof ServiceError && error.errorName === name

async function continueWithOf(service: PageService, place: WalkPlace): Promise<ContinueWith | undefined> {
  const { request, caller, ontology, type } = place
  const { sealer } = service
  // Whoever got this far has sent a token of its own: it was refused for its age alone, or for that of its state.
  const walk = request.pageToken === undefined ? undefined : sealer.open(request.pageToken)?.walk
  const lastKey = walk && lastKeyOf(walk, place)
  if (walk?.mode.kind !== 'snapshot' || lastKey === undefined) return undefined
  const since = walk.mode
  const to = await stateOf(service, { ...request, snapshotToken: undefined }, { ontology, type })
  const at = { ontologyRid: ontology.rid, objectType: type.apiName }
  const seal = (next: Walk, asked: PageRequest, states: { named?: Captured | undefined; to?: Captured }) =>
    sealPageToken(sealer, next, {
      binding: tokenBinding(caller, requestIdentity(asked, { ...at, ...states })),
      now: service.now(),
    }) as PageToken
  const nameOf = (state: Captured) =>
    sealSnapshotToken(sealer, { ...state, view: viewOf(type, caller.claims) }, { ontology, type })
  return {
    fromSnapshotToken: nameOf(since),
    toSnapshotToken: nameOf(to),
    changesPageToken: seal(
      { ...walk, mode: to, served: 0, position: undefined, partition: { end: lastKey } },
      { ...request, endpoint: 'readChanges', orderBy: [], query: { type: 'empty' } },
      { named: since, to },
    ),
    pageToken: seal({ ...walk, mode: to }, request, {
      named: request.snapshotToken === undefined ? undefined : to,
    }),
  }
}

/**
 * The key up to which the walk has returned all objects. Undefined if it is not in the order of the key, or does not return all
 * objects: what has changed is then known only for states that are kept. A partition has neighbours that would stay in their state.
 */
function lastKeyOf({ position, partition }: Walk, { request, type, caller }: WalkPlace): string | undefined {
  const { keys, scan } = chooseOrder(type, request.orderBy)
  const isInKeyOrder = keys.length === 1 && scan === 'forward'
  const isWhole =
    linkedQueries(request.query).length === 0 && filtersOf(type, request, caller.claims).filter === everything
  if (request.endpoint !== 'searchObjects' || partition !== undefined || !isInKeyOrder || !isWhole)
    return undefined
  return position?.[0] ?? undefined
}
