// Serves a page request, step by step. Each step is a folder; its files have the details.
import type { PageToken } from '@octavo/protocol'
import type { Caller } from '../../guard/auth/caller.ts'
import { findObjectType } from '../../catalog/find-object-type.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { PageService } from '../walk/page-service.ts'
import { openRequest } from '../walk/open-request.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import { totalOf } from '../walk/total-of.ts'
import { orContinueWith } from '../walk/continue-with.ts'
import { writePage } from '../page/write-page.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { modeOf, chosenOrder, planPage } from '../plan/plan-page.ts'
import type { PageRequest } from '../request/page-request.ts'
import { requestIdentity } from '../request/request-identity.ts'
import { resolveNames } from '../request/resolve-names.ts'
import { checksumText, type PageClock } from '../rows/state/page-clock.ts'
import type { PageRows } from '../rows/page/page-rows.ts'
import { followRequest, type FollowedRequest } from '../walk/follow-request.ts'
import { openNamed, sealSnapshotOfTypes } from '../token/snapshot-token.ts'
import { positionRoom } from '../token/token-claims.ts'
import { tokenBinding } from '../token/token-binding.ts'
import type { Captured, Walk } from '../token/walk.ts'
import type { NextWalk } from '../token/open-walk.ts'

export interface ServedPage {
  readonly body: Buffer
  readonly objects: number
  readonly nextPageToken: string | undefined
  /** Must be called once the body has been sent: its memory is then reused. */
  readonly sent: () => void
}

export async function servePage(service: PageService, arrival: PageArrival): Promise<ServedPage> {
  const { caller, timer, signal } = arrival
  const answerBy = service.store.answerBy()
  const parsed = timer.time('parse', arrival.parse)
  const reservation = await timer.time('wait', () => service.admission.reserve(caller.subject, signal))
  arrival.hold(reservation)
  const { ontology, type } = await timer.time('find', () => findObjectType(service, caller, arrival.target))

  return service.store.catalog.withFreshType(ontology, type, async (fresh) => {
    const request = timer.time('resolve', () => resolveNames(parsed, fresh))
    const place = { request, caller, ontology, type: fresh }
    return orContinueWith(service, place, async () => {
      const { named, binding } = timer.time('bind', () => {
        const state = openNamed(service.sealer, request, { ontology, type: fresh })
        const place = { ontologyRid: ontology.rid, objectType: fresh.apiName, named: state }
        return { named: state, binding: tokenBinding(caller, requestIdentity(request, place)) }
      })
      const { walk, next: nextWalk } = timer.time('open', () => openRequest(service, request, binding))
      const { plan, followed } = await timer.time('plan', () =>
        planFollowing(service, { ...place, signal, walk, named }),
      )
      const read = await timer.time('read', () => service.store.readPage(plan, { signal, answerBy }))
      const rows = (await arrival.afterRead?.(read, followed)) ?? read
      const total = await timer.time('count', () => totalOf(service, { request, plan, walk, rows, signal }))
      const next = nextWalk(rows.objects, {
        mode: request.snapshot || followed === undefined ? modeOf(plan.at, rows.clock) : { kind: 'default' },
        order: chosenOrder(plan, request),
        total,
        linked: request.snapshot ? followed?.states : undefined,
      })
      const nextPageToken = timer.time('seal', () => sealWalk(next, rows, plan))
      // Nothing was found in time: an error with a token, with which the client can go on, never an empty page (P101).
      if (rows.timedOut && rows.objects === 0) {
        throw new ServiceError(
          'ScanTimedOut',
          nextPageToken === undefined ? {} : { pageToken: nextPageToken as PageToken },
        )
      }
      const body = timer.time('write', () =>
        (arrival.write ?? writePage)(rows, {
          nextPageToken,
          total,
          version: next.mode.kind === 'snapshot' ? next.mode.version : rows.clock.version,
          ...(nextPageToken === undefined && {
            // The state that the walk has shown (P243).
            snapshotToken:
              next.mode.kind === 'snapshot'
                ? sealSnapshotOfTypes(service.sealer, followed?.states ?? new Map([[fresh.id, next.mode]]), {
                    ontology,
                    types: followed?.types ?? [fresh],
                    claims: caller.claims,
                  })
                : undefined,
            // The checksum is of the whole collection, and so is the total (P257).
            checksum: walk?.partition === undefined ? checksumOf(plan, rows.clock) : undefined,
          }),
        }),
      )
      const bytes = body.length
      reservation.keep(bytes)
      service.observe({
        kind: 'page-served',
        requestId: arrival.requestId,
        endpoint: request.endpoint,
        walkId: next.id,
        mode: request.snapshot ? 'snapshot' : 'default',
        objects: rows.objects,
        bytes,
        last: nextPageToken === undefined,
        stages: timer.stages,
      })
      service.observe({
        kind: 'objects-read',
        requestId: arrival.requestId,
        subject: caller.subject,
        endpoint: request.endpoint,
        ontologyRid: ontology.rid,
        objectType: fresh.apiName,
        objects: rows.objects,
        bytes,
        mode: request.snapshot ? 'snapshot' : 'default',
        walkId: next.id,
        endedBy: endOf(rows, request),
      })
      return { body, objects: rows.objects, nextPageToken, sent: () => rows.giveBack?.() }
    })
  })
}

interface PlanningPage {
  readonly request: PageRequest
  readonly caller: Caller
  readonly ontology: Ontology
  readonly type: ObjectType
  readonly walk: Walk | undefined
  readonly named: Captured | undefined
  readonly signal: AbortSignal
}

/** A page whose query follows links is read in a state that is named before, in default mode too: it is one of several types. */
async function planFollowing(
  service: PageService,
  { request, caller, ontology, type, walk, named, signal }: PlanningPage,
): Promise<{ readonly plan: PagePlan; readonly followed: FollowedRequest | undefined }> {
  const { claims } = caller
  const followed = await followRequest(service, {
    ontology,
    type,
    request,
    claims,
    known: walk?.linked,
    signal,
  })
  const plan = await planPage({
    type,
    request,
    claims,
    walk,
    named,
    estimate: (...asked) => service.store.estimateMatches(type, ...asked),
    followed,
  })
  return { plan: followed === undefined ? plan : { ...plan, at: followed.at }, followed }
}

const endOf = (rows: PageRows, { pageSize }: PageRequest) => {
  if (rows.position === undefined) return 'end'
  if (rows.timedOut) return 'time'
  return rows.objects < pageSize ? 'byteBudget' : 'pageSize'
}

/** The sum of the hashes of all objects, where they are what the walk has shown, each whole (P251). */
function checksumOf({ at, access, select, record }: PagePlan, clock: PageClock): string | undefined {
  const isWhole =
    at.kind !== 'latest' &&
    access === undefined &&
    select === undefined &&
    (record === '2.0' || record === 'export')
  return isWhole ? checksumText(clock) : undefined
}

const sealWalk = (next: NextWalk, { position, positionIsHidden }: PageRows, { order }: PagePlan) =>
  position &&
  next.tokenAfter(position, positionIsHidden ? positionRoom(order.keys.map((key) => key.scalar)) : undefined)
