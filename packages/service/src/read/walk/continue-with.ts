// What a reader needs to continue when the state that its walk shows is no longer kept, or its page token has expired: the changes of
// the objects that it has got, and the rest in the latest state (P246). Nothing is read twice.
import type { ErrorName, PageToken, ContinueWith } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { everything } from '../../catalog/filter/filter.ts'
import { linkedQueries } from '../links/linked-queries.ts'
import { chooseOrder } from '../plan/choose-order.ts'
import { filtersOf } from '../plan/plan-page.ts'
import type { PageRequest } from '../request/page-request.ts'
import { sealPageToken } from '../token/seal-page-token.ts'
import { sealSnapshotToken } from '../token/snapshot-token.ts'
import type { Captured, Walk } from '../token/walk.ts'
import { bindingOf, namedOrLatest } from './open-request.ts'
import type { RequestContext } from './type-context.ts'

/** Serves a page. If it is refused for the age of its token or of its state, the error says how to continue where that is possible. */
export async function orContinueWith<Page>(
  context: RequestContext,
  serve: () => Promise<Page>,
): Promise<Page> {
  try {
    return await serve()
  } catch (error) {
    const isGone = isRefused(error, 'ConsistentSnapshotError')
    // In default mode no state was promised. One that a page with links has named for itself is gone only after a failover.
    if (isGone && !context.request.snapshot) {
      throw new ServiceError('Overloaded', { retryAfterSeconds: 1 }, { cause: error })
    }
    const isOver = isGone || isExpired(error)
    const continueWith = isOver ? await continueWithOf(context) : undefined
    if (!isOver || continueWith === undefined) throw error
    throw new ServiceError(error.errorName, { ...error.parameters, continueWith })
  }
}

const isExpired = (error: unknown): error is ServiceError<'InvalidPageToken'> =>
  isRefused(error, 'InvalidPageToken') && error.parameters.reason === 'expired'

const isRefused = <Name extends ErrorName>(error: unknown, name: Name): error is ServiceError<Name> =>
  error instanceof ServiceError && error.errorName === name

async function continueWithOf(context: RequestContext): Promise<ContinueWith | undefined> {
  const { service, request, type } = context
  const { sealer } = service
  // A request that gets this far has a token of its caller: it was refused for its age alone, or for that of its state.
  const walk = request.pageToken === undefined ? undefined : sealer.open(request.pageToken)?.walk
  const lastKey = walk && lastKeyOf(walk, context)
  if (walk?.mode.kind !== 'snapshot' || lastKey === undefined) return undefined
  const since = walk.mode
  const to = await namedOrLatest({ ...context, request: { ...request, snapshotToken: undefined } })
  const seal = (next: Walk, of: PageRequest, states: { named?: Captured | undefined; to?: Captured }) =>
    sealPageToken(sealer, next, {
      binding: bindingOf({ ...context, request: of }, states),
      now: service.now(),
    }) as PageToken
  const tokenOf = (state: Captured) => sealSnapshotToken(context, [type], new Map([[type.id, state]]))
  return {
    fromSnapshotToken: tokenOf(since),
    toSnapshotToken: tokenOf(to),
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
 * objects: what has changed can then be said only for states that are kept. A partition has neighbours that would stay in their state.
 */
function lastKeyOf(
  { position, partition }: Walk,
  { request, type, caller }: RequestContext,
): string | undefined {
  const { keys, scan } = chooseOrder(type, request.orderBy)
  const isInKeyOrder = keys.length === 1 && scan === 'forward'
  const isWhole =
    linkedQueries(request.query).length === 0 && filtersOf(type, request, caller.claims).filter === everything
  if (request.endpoint !== 'searchObjects' || partition !== undefined || !isInKeyOrder || !isWhole)
    return undefined
  return position?.[0] ?? undefined
}
