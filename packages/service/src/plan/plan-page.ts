import { limits } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { PageRequest } from '../request/page-request.ts'
import type { Walk } from '../token/walk.ts'
import { chooseOrder } from './choose-order.ts'
import type { PagePlan, PointInTime } from './page-plan.ts'

export interface PlanParts {
  readonly type: ObjectType
  readonly request: PageRequest
  /** Nothing on the first page. */
  readonly walk: Walk | undefined
}

export function planPage({ type, request, walk }: PlanParts): PagePlan {
  if (request.query.type !== 'empty') {
    throw new ServiceError('Conjure:UnprocessableEntity', {
      path: '/query/type',
      problem: `"${request.query.type}" is not served yet, only "empty" is`,
    })
  }
  return {
    type,
    record: request.endpoint === 'listObjects' ? 'listed' : 'found',
    order: chooseOrder(type, request.orderBy),
    position: walk?.position,
    at: pointInTime(request, walk),
    pageSize: request.endpoint === 'listObjects' ? withinWalkLimit(request, walk) : request.pageSize,
    byteBudget: limits.page.byteBudget,
  }
}

function pointInTime(request: PageRequest, walk: Walk | undefined): PointInTime {
  if (!request.snapshot) return { kind: 'latest' }
  return walk?.mode.kind === 'snapshot'
    ? { kind: 'snapshot', version: walk.mode.version }
    : { kind: 'capture' }
}

/** No page goes past the 10,000th object of a list; asking for what comes after it is the error (P70, P71). */
function withinWalkLimit(request: PageRequest, walk: Walk | undefined): number {
  const left = limits.walk.listObjects - (walk?.served ?? 0)
  if (left <= 0) throw new ServiceError('ObjectsExceededLimit', { limit: limits.walk.listObjects })
  return Math.min(request.pageSize, left)
}
