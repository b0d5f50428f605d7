// A request whose query may follow links to other types: all of them are read in one state.
import type { FollowedLinks } from '../../catalog/filter/resolve-filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { followLinks, linksInQuery, stateIn, typesOf } from '../links/follow-links.ts'
import { linkedQueries } from '../links/linked-queries.ts'
import { estimateMatches } from '../rows/numbers/estimate-matches.ts'
import { readVersions } from '../rows/state/read-versions.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { planPage, type PlanParts } from '../plan/plan-page.ts'
import { openNamed } from '../token/snapshot-token.ts'
import type { Captured, LinkedStates } from '../token/walk.ts'
import type { RequestContext } from './type-context.ts'

export interface FollowedRequest {
  readonly links: FollowedLinks
  /** The state of the page's own type. */
  readonly at: Captured
  /** All types that are read, and their states by their numbers. */
  readonly types: readonly ObjectType[]
  readonly states: LinkedStates
}

/** Undefined if the query follows no link. The states of the types may be fixed already. */
export async function followRequest(
  context: RequestContext,
  fixed?: LinkedStates,
): Promise<FollowedRequest | undefined> {
  const { service, ontology, type, request, caller, signal } = context
  if (linkedQueries(request.query).length === 0) return undefined
  const { store } = service
  const links = linksInQuery(type, await store.catalog.objectTypes(ontology), request.query)
  const types = [type, ...typesOf(links)] as const
  const states = fixed ?? (await statesOf(context, types))
  return {
    links: await followLinks({ store, claims: caller.claims, signal }, links, states),
    at: stateIn(states, type),
    types,
    states,
  }
}

/** One state of all the types: the one that the request names, or the latest. */
async function statesOf(
  context: RequestContext,
  types: readonly [ObjectType, ...ObjectType[]],
): Promise<LinkedStates> {
  const { service, request } = context
  if (request.snapshotToken === undefined)
    return (await readVersions(service.store, types, request.after)).versions
  return new Map(
    types.flatMap((type) => {
      const named = openNamed({ ...context, type })
      return named === undefined ? [] : [[type.id, named] as const]
    }),
  )
}

/**
 * The plan of a request whose links have been followed. A page that follows links is read in a state that is named before, in default
 * mode too: it is one of several types.
 */
export async function planFollowed(
  { service, type, request, caller }: RequestContext,
  followed: FollowedRequest | undefined,
  rest: Pick<PlanParts, 'named' | 'readsAll'> & Partial<Pick<PlanParts, 'walk'>> = {},
): Promise<PagePlan> {
  const plan = await planPage({
    type,
    request,
    claims: caller.claims,
    walk: undefined,
    estimate: (filters, sides) => estimateMatches(service.store, type, filters, sides),
    followed,
    ...rest,
  })
  return followed === undefined ? plan : { ...plan, at: followed.at }
}
