// The numbers that a page tells beside its objects.
import { limits, type Drift } from '@octavo/protocol'
import { everything } from '../catalog/filter/filter.ts'
import { policyFilter, type Claims } from '../catalog/filter/policy-filter.ts'
import type { PageService } from './page-service.ts'
import type { PagePlan } from './plan/page-plan.ts'
import { countsMatches, type PageRequest } from './request/page-request.ts'
import type { PageRows } from './rows/page-rows.ts'
import { capturedBy } from './token/captured-by.ts'
import type { Walk } from './token/walk.ts'

export interface CountedParts {
  readonly request: PageRequest
  readonly plan: PagePlan
  readonly walk: Walk | undefined
  readonly rows: PageRows
  readonly signal: AbortSignal
  /** The caller's claims, for the type's policy. */
  readonly claims: Claims
}

/**
 * The total of a walk. Without a filter it is on the clock. The matches of a filter are counted for revisions 1.0 (P68) and v2 (P336), once,
 * on the first page, and the walk carries the number on; a plus sign marks a lower bound (P69). Revision 2.0 gets only what is
 * known without counting (P150).
 */
async function totalOf(
  service: PageService,
  { request, plan, walk, rows, signal }: CountedParts,
): Promise<string | undefined> {
  if (!countsMatches(request) && (!request.snapshot || plan.access !== undefined || walk?.part !== undefined))
    return undefined
  if (plan.access === undefined) return rows.clock.snapshotLive ?? rows.clock.live
  if (walk?.total !== undefined) return walk.total
  const at = plan.at.kind === 'capture' ? capturedBy(rows.clock) : plan.at
  const { count, isBound } = await service.store.countMatches({ ...plan, at, position: undefined }, signal)
  return isBound ? `${count}+` : String(count)
}

export interface Counts {
  readonly total: string | undefined
  readonly drift: Drift | undefined
  readonly walkLimit: string | undefined
}

export async function countsOf(service: PageService, parts: CountedParts): Promise<Counts> {
  const total = await totalOf(service, parts)
  return { total, drift: await driftOf(service, parts), walkLimit: limitOf(total, parts) }
}

/**
 * What has been committed since the first page, told on the last page of a walk in default mode (P248). It counts all objects of the
 * type, so a caller who may not read all of them is not told.
 */
async function driftOf(
  { store }: PageService,
  { plan, walk, rows, claims }: CountedParts,
): Promise<Drift | undefined> {
  if (walk?.mode.kind !== 'default' || rows.position !== undefined) return undefined
  const { first } = walk.mode
  if (policyFilter(plan.type, claims) !== everything) return undefined
  return first && store.readDrift(plan.type, { first, last: rows.clock.version })
}

/** The first page says that the limit of a list will end it (P249). */
function limitOf(total: string | undefined, { request, walk }: CountedParts): string | undefined {
  if (request.endpoint !== 'listObjects' || walk !== undefined || total === undefined) return undefined
  const limit = limits.walk.listObjects
  const isReached = total.endsWith('+') ? parseInt(total) >= limit : BigInt(total) > BigInt(limit)
  return isReached ? String(limit) : undefined
}
