import { limits } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { tableSides } from '../../catalog/type-tables.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { recordOf, type PageRequest } from '../request/page-request.ts'
import { type Captured, capturedBy, type CommitClock, type Walk, type WalkMode } from '../token/walk.ts'
import { orderName, type Access, type PageOrder, type PagePlan, type PointInTime } from './page-plan.ts'
import { accessToAll, chooseAccess, type EstimateMatches } from './choose-access.ts'
import { chooseOrder } from './choose-order.ts'
import { allOf, everything, linkedStates, type Filter } from '../../catalog/filter/filter.ts'
import { policyFilter, type Claims } from '../../catalog/filter/policy-filter.ts'
import { resolveFilter, type FollowedLinks } from '../../catalog/filter/resolve-filter.ts'

export interface PlanParts {
  readonly type: ObjectType
  readonly request: PageRequest
  /** The caller's claims, for the type's policy. */
  readonly claims: Claims
  /** Undefined on the first page. */
  readonly walk: Walk | undefined
  /** The state that the request names with a snapshot token. */
  readonly named?: Captured | undefined
  readonly estimate: EstimateMatches
  /** What the conditions that follow a link have become, and the types that they look at. */
  readonly followed?: FollowedConditions | undefined
  /** All matches are read, as if they were one large page. */
  readonly readsAll?: boolean
}

interface FollowedConditions {
  readonly links: FollowedLinks
  readonly types: readonly ObjectType[]
}

export async function planPage(parts: PlanParts): Promise<PagePlan> {
  const { type, request, claims, walk, named, followed } = parts
  const pageSize = request.endpoint === 'listObjects' ? withinWalkLimit(request, walk) : request.pageSize
  const filters = filtersOf(type, request, claims, followed?.links)
  const wanted = chooseOrder(type, request.orderBy)
  const isGuarded = mayHide([type, ...(followed?.types ?? [])])
  const access =
    filters.filter === everything
      ? undefined
      : await accessToPage(parts, { ...filters, wanted, isGuarded, pageSize })
  return {
    type,
    record: recordOf(request),
    order: access?.order ?? wanted,
    position: walk?.position,
    end: walk?.partition?.end,
    at: pointInTime(request, walk, named),
    pageSize,
    byteBudget: limits.page.byteBudget,
    access,
    isGuarded,
    linked: linkedStates(filters.filter),
    // The primary key is always among the selected properties (P60, P81).
    select: request.select && [type.key.property, ...request.select],
  }
}

interface FilteredPage extends Filters {
  readonly wanted: PageOrder
  readonly isGuarded: boolean
  readonly pageSize: number
}

async function accessToPage(
  { type, request, walk, estimate, readsAll = false }: PlanParts,
  { queried, policy, filter, wanted, isGuarded, pageSize }: FilteredPage,
): Promise<Access> {
  const keyOrder = chooseOrder(type, [])
  if (isGuarded && readsAll) return accessToAll(type, { policy, queried, keyOrder })
  // Only where nothing can be hidden: what is cheapest depends on all objects (P41).
  const mayChooseOrder = request.orderBy.length === 0 && queried !== everything && !isGuarded
  return chooseAccess(type, {
    filter,
    order: mayChooseOrder ? undefined : wanted,
    keyOrder,
    pageSize,
    keptOrder: walk?.order,
    estimate,
    sides: request.snapshot ? tableSides : ['current'],
  })
}

/** Whether policies may hide objects of some of these types. */
export const mayHide = (types: readonly ObjectType[]): boolean =>
  types.some(({ definition }) => definition.policy !== undefined)

interface Filters {
  /** The query of the request. */
  readonly queried: Filter
  /** The objects that the caller may read. */
  readonly policy: Filter
  /** Both together. */
  readonly filter: Filter
}

export function filtersOf(
  type: ObjectType,
  { query }: Pick<PageRequest, 'query'>,
  claims: Claims,
  links?: FollowedLinks,
): Filters {
  const queried = resolveFilter(type, query, links)
  const policy = policyFilter(type, claims)
  return {
    queried,
    policy,
    filter: policy === everything ? queried : queried === everything ? policy : allOf([policy, queried]),
  }
}

/** The name of the order that the walk must remember, if the service chose it. */
export const chosenOrder = (plan: PagePlan, request: PageRequest): string | undefined =>
  plan.access !== undefined && request.orderBy.length === 0 ? orderName(plan.order) : undefined

function pointInTime(request: PageRequest, walk: Walk | undefined, named: Captured | undefined): PointInTime {
  const { after } = request
  if (!request.snapshot) return { kind: 'latest', after }
  return walk?.mode.kind === 'snapshot' ? walk.mode : (named ?? { kind: 'capture', after })
}

/** No page goes past the 10,000th object of a list; a request for what comes after it is an error (P70, P71). */
function withinWalkLimit(request: PageRequest, walk: Walk | undefined): number {
  const left = limits.walk.listObjects - (walk?.served ?? 0)
  if (left <= 0)
    throw new ServiceError('ObjectsExceededLimit', { limit: 'objects', maximum: limits.walk.listObjects })
  return Math.min(request.pageSize, left)
}

/** The mode of the walk whose first page was read at this point in time: it fixes the version of a snapshot walk. */
export function modeOf(at: PointInTime, clock: CommitClock): WalkMode {
  if (at.kind === 'latest') return { kind: 'default' }
  return at.kind === 'capture' ? capturedBy(clock) : { kind: 'snapshot', version: at.version, tag: at.tag }
}
