// The links that the query of a page follows, in the states that the page reads.
import type { Claims } from '../../catalog/filter/policy-filter.ts'
import type { FollowedLinks } from '../../catalog/filter/resolve-filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { PageService } from './page-service.ts'
import type { PageRequest } from '../request/page-request.ts'
import type { Captured, LinkedStates } from '../token/walk.ts'
import { openNamed } from '../token/snapshot-token.ts'
import { followLinks, linksInQuery, stateOf, typesOf } from '../links/follow-links.ts'
import { linkedQueries } from '../links/linked-queries.ts'

export interface FollowingRequest {
  readonly ontology: Ontology
  readonly type: ObjectType
  readonly request: PageRequest
  readonly claims: Claims
  /** The states of the types, if they are fixed already. */
  readonly known?: LinkedStates | undefined
  readonly signal: AbortSignal
}

export interface FollowedRequest {
  readonly links: FollowedLinks
  /** The state of the page's own type. */
  readonly at: Captured
  /** All types that are read, and their states by their numbers. */
  readonly types: readonly ObjectType[]
  readonly states: LinkedStates
}

/** Undefined if the query follows no link. */
export async function followRequest(
  service: Pick<PageService, 'store' | 'sealer'>,
  following: FollowingRequest,
): Promise<FollowedRequest | undefined> {
  const { ontology, type, request, claims, signal } = following
  if (linkedQueries(request.query).length === 0) return undefined
  const { store } = service
  const links = linksInQuery(type, await store.catalog.objectTypes(ontology), request.query)
  const types = [type, ...typesOf(links)] as const
  const states = await statesOf(service, following, types)
  return {
    links: await followLinks({ store, claims, signal }, links, states),
    at: stateOf(states, type),
    types,
    states,
  }
}

/** One state of all the types: the one that is fixed, the one that the request names, or the latest. */
async function statesOf(
  { store, sealer }: Pick<PageService, 'store' | 'sealer'>,
  { ontology, request, known }: FollowingRequest,
  types: readonly [ObjectType, ...ObjectType[]],
): Promise<LinkedStates> {
  if (known !== undefined) return known
  if (request.snapshotToken === undefined) return (await store.readVersions(ontology, types)).versions
  return new Map(
    types.flatMap((each) => {
      const named = openNamed(sealer, request, { ontology, type: each })
      return named === undefined ? [] : [[each.id, named] as const]
    }),
  )
}
