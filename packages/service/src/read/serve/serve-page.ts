// Serves a page request, step by step. Each step is a folder; its files have the details.
import type { PageToken } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { findObjectType } from '../../catalog/find-object-type.ts'
import { writePage } from '../page/write-page.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { chosenOrder, modeOf } from '../plan/plan-page.ts'
import type { PageRequest } from '../request/page-request.ts'
import { resolveNames } from '../request/resolve-names.ts'
import type { PageRows } from '../rows/page/page-rows.ts'
import { checksumText, type PageClock } from '../rows/state/page-clock.ts'
import type { NextWalk } from '../token/open-walk.ts'
import { openNamed, sealSnapshotToken } from '../token/snapshot-token.ts'
import { positionRoom } from '../token/token-claims.ts'
import { orContinueWith } from '../walk/continue-with.ts'
import { followRequest, planFollowed } from '../walk/follow-request.ts'
import { bindingOf, openRequest } from '../walk/open-request.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import { answerBy, type PageService } from '../walk/page-service.ts'
import { totalOf } from '../walk/total-of.ts'
import { observeRead } from '../walk/type-context.ts'
import { readPageAnywhere } from '../rows/page/read-page-anywhere.ts'

export interface ServedPage {
  readonly body: Buffer
  readonly objects: number
  readonly nextPageToken: string | undefined
  /** Must be called once the body has been sent: its memory is then reused. */
  readonly sent: () => void
}

export async function servePage(service: PageService, arrival: PageArrival): Promise<ServedPage> {
  const { requestId, caller, timer, signal } = arrival
  const endsAt = answerBy(service)
  const parsed = { ...timer.time('parse', arrival.parse), after: arrival.after }
  const reservation = await timer.time('wait', () => service.admission.reserve(caller.subject, signal))
  arrival.hold(reservation)
  const { ontology, type } = await timer.time('find', () => findObjectType(service, caller, arrival.target))

  return service.store.catalog.withFreshType(ontology, type, async (fresh) => {
    const request = timer.time('resolve', () => resolveNames(parsed, fresh))
    const context = { service, requestId, caller, ontology, type: fresh, signal, request }
    return orContinueWith(context, async () => {
      const { named, binding } = timer.time('bind', () => {
        const state = openNamed(context)
        return { named: state, binding: bindingOf(context, { named: state }) }
      })
      const { walk, next: nextWalk } = timer.time('open', () => openRequest(context, binding))
      const { plan, followed } = await timer.time('plan', async () => {
        const links = await followRequest(context, walk?.linked)
        return { plan: await planFollowed(context, links, { walk, named }), followed: links }
      })
      const read = await timer.time('read', () =>
        readPageAnywhere(service.store, plan, { signal, answerBy: endsAt }),
      )
      const rows = (await arrival.afterRead?.(read, followed)) ?? read
      const total = await timer.time('count', () => totalOf(context, { plan, walk, rows }))
      const next = nextWalk(rows.objects, {
        mode: request.snapshot || followed === undefined ? modeOf(plan.at, rows.clock) : { kind: 'default' },
        order: chosenOrder(plan, request),
        total,
        linked: request.snapshot ? followed?.states : undefined,
      })
      const nextPageToken = timer.time('seal', () => sealWalk(next, rows, plan))
      // Nothing was found in time: an error with a token, with which the client can continue, never an empty page (P101).
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
                ? sealSnapshotToken(
                    context,
                    followed?.types ?? [fresh],
                    followed?.states ?? new Map([[fresh.id, next.mode]]),
                  )
                : undefined,
            // The checksum is of the whole collection, and so is the total (P257).
            checksum: walk?.partition === undefined ? checksumOf(plan, rows.clock) : undefined,
          }),
        }),
      )
      const bytes = body.length
      reservation.keep(bytes)
      const served = {
        endpoint: request.endpoint,
        walkId: next.id,
        mode: request.snapshot ? ('snapshot' as const) : ('default' as const),
        objects: rows.objects,
        bytes,
      }
      const last = nextPageToken === undefined
      service.observe({ kind: 'page-served', requestId, ...served, last, stages: timer.stages })
      observeRead(context, { ...served, endedBy: endOf(rows, request) })
      return { body, objects: rows.objects, nextPageToken, sent: () => rows.giveBack?.() }
    })
  })
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
