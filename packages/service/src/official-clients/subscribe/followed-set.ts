// What a subscription is about: an object set, as the caller may read it now. It is resolved again before anything is sent, so that
// grants, policies and definitions hold as they do for a page.
import { subscriptionRequestSchema, type ObjectSet } from '@octavo/protocol'
import { findObjectType } from '../../catalog/find-object-type.ts'
import { nothing, type Filter } from '../../catalog/filter/filter.ts'
import type { FollowedLinks } from '../../catalog/filter/resolve-filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import { linksInQuery, typesOf, type LinkInQuery } from '../../read/links/follow-links.ts'
import { checkNesting } from '../object-set/check-nesting.ts'
import { refuseLarge } from '../object-set/parse-v2-request.ts'
import { resolveObjectSet, type SetTarget } from '../object-set/resolve-object-set.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { filtersOf } from '../../read/plan/plan-page.ts'
import { shapeChecker } from '../../read/request/check-shape.ts'
import type { PageRequest } from '../../read/request/page-request.ts'
import { fieldsOf } from '../../read/request/parse-search-request.ts'
import { refuseUnknownFields } from '../../read/request/query-parameters.ts'
import { resolveNames } from '../../read/request/resolve-names.ts'
import { viewOf } from '../../read/token/snapshot-token.ts'
import type { LinkedStates } from '../../read/token/walk.ts'
import { readVersions } from '../../read/rows/state/read-versions.ts'

export interface WantedSet {
  readonly objectSet: ObjectSet
  readonly select: readonly string[]
  readonly withRid: boolean
  /** Whether no other type decides what is in it. */
  readonly isPlain: boolean
}

const check = shapeChecker(subscriptionRequestSchema)
const names = Object.keys(subscriptionRequestSchema.properties)

export function parseSubscription(request: unknown): WantedSet {
  const fields = fieldsOf(request)
  refuseUnknownFields(Object.keys(fields), names)
  checkNesting({ kind: 'objectSet', value: fields['objectSet'] })
  const { objectSet, propertySet, objectLoadingResponseOptions: options } = check(fields)
  const withRid = options?.shouldLoadObjectRids ?? false
  return { objectSet, select: propertySet, withRid, isPlain: isPlain(objectSet) }
}

const isPlain = (set: ObjectSet): boolean =>
  set.type === 'base' || (set.type === 'filter' && isPlain(set.objectSet))

export interface FollowedSet {
  readonly ontology: Ontology
  readonly type: ObjectType
  readonly request: PageRequest
  /** The types that decide what is in the set: its own, and those that its query looks at through links. */
  readonly types: readonly [ObjectType, ...ObjectType[]]
  /** Stands for which objects of these types the caller may read. */
  readonly view: string
}

export async function findSet(
  service: PageService,
  { caller, target }: SetTarget,
  { objectSet, select, withRid, isPlain: hasNoLinks }: WantedSet,
): Promise<FollowedSet> {
  const { objectType, query } = await resolveObjectSet(service, { caller, target }, objectSet)
  refuseLarge(query)
  const { ontology, type } = await findObjectType(service, caller, { ...target, objectType })
  const wanted: PageRequest = {
    endpoint: 'loadObjectSetV2',
    pageSize: 1,
    pageToken: undefined,
    snapshot: true,
    orderBy: [],
    select,
    excludesRid: !withRid,
    query,
    filters: [],
  }
  return service.store.catalog.withFreshType(ontology, type, async (fresh) => {
    const request = resolveNames(wanted, fresh)
    const links = hasNoLinks
      ? []
      : linksInQuery(fresh, await service.store.catalog.objectTypes(ontology), query)
    // Nothing is read for this: what the query asks is refused now if it cannot be asked.
    filtersOf(fresh, request, caller.claims, leadingNowhere(links, caller))
    const types = [fresh, ...typesOf(links)] as const
    const view = types.map((each) => viewOf(each, caller.claims) ?? '').join(' ')
    return { ontology, type: fresh, request, types: [fresh, ...types.slice(1)], view }
  })
}

const leadingNowhere = (links: readonly LinkInQuery[], caller: Caller): FollowedLinks =>
  new Map<LinkInQuery['query'], Filter>(
    links.map(({ query, link, inner }) => {
      filtersOf(link.to, query, caller.claims, leadingNowhere(inner, caller))
      return [query, nothing]
    }),
  )

/** The latest state of all types of the set. */
export const latestOf = async (
  { store }: Pick<PageService, 'store'>,
  { types }: Pick<FollowedSet, 'types'>,
): Promise<LinkedStates> => (await readVersions(store, types)).versions
