// The way of a page request, step by step. Each step is a folder; its file says the rest.
import type { AuthenticateCaller } from './auth/authenticate-caller.ts'
import { findObjectType, type PageTarget } from './catalog/find-object-type.ts'
import type { ObjectType } from './catalog/object-type.ts'
import type { Observe } from './observe/observation.ts'
import type { StageTimer } from './observe/stage-timer.ts'
import type { Store } from './open-store.ts'
import { writePage } from './page/write-page.ts'
import { planPage } from './plan/plan-page.ts'
import type { PageRequest } from './request/page-request.ts'
import { requestIdentity } from './request/request-identity.ts'
import { resolveNames } from './request/resolve-names.ts'
import type { PageRows } from './rows/page-rows.ts'
import { requireReadable } from './snapshot/require-readable.ts'
import { openPageToken } from './token/open-page-token.ts'
import { sealPageToken } from './token/seal-page-token.ts'
import { tokenBinding, type TokenBinding } from './token/token-binding.ts'
import type { TokenSealer } from './token/token-sealer.ts'
import type { Walk } from './token/walk.ts'
import { nextWalk } from './token/next-walk.ts'

export interface PageService {
  readonly authenticate: AuthenticateCaller
  readonly store: Pick<Store, 'catalog' | 'readRows' | 'readObject'>
  readonly sealer: TokenSealer
  readonly now: () => Date
  readonly newWalkId: () => string
  readonly observe: Observe
}

/** What came in, as far as a page is concerned. */
export interface PageArrival {
  readonly authorization: string | undefined
  readonly target: PageTarget
  readonly parse: () => PageRequest
  readonly signal: AbortSignal
  readonly timer: StageTimer
}

export async function servePage(service: PageService, arrival: PageArrival): Promise<Buffer> {
  const { timer, signal } = arrival
  const caller = timer.time('authenticate', () => service.authenticate(arrival.authorization))
  const parsed = timer.time('parse', arrival.parse)
  const { ontology, type } = await timer.time('find', () =>
    findObjectType(service.store.catalog, arrival.target),
  )

  return service.store.catalog.withFreshType(ontology, type, async (fresh) => {
    const request = timer.time('resolve', () => resolveNames(parsed, fresh))
    const binding = timer.time('bind', () =>
      tokenBinding(
        caller,
        requestIdentity(request, { ontologyRid: ontology.rid, objectType: fresh.apiName }),
      ),
    )
    const walk = timer.time('open', () => openWalk(service, request, binding))
    const plan = timer.time('plan', () => planPage({ type: fresh, request, walk }))
    const rows = await timer.time('read', () => service.store.readRows(plan, signal))
    requireReadable(rows.clock, walk)
    const next = nextWalk(walk, rows, { snapshot: request.snapshot, newWalkId: service.newWalkId })
    const nextPageToken = timer.time('seal', () => sealWalk(service, next, rows, binding))
    const body = timer.time('write', () =>
      writePage(rows, {
        nextPageToken,
        totalCount: totalCount(request, rows),
        select: selectedProperties(request, plan.type),
      }),
    )
    service.observe({
      kind: 'page-served',
      endpoint: request.endpoint,
      walkId: next.id,
      mode: request.snapshot ? 'snapshot' : 'default',
      objects: rows.objects,
      bytes: body.length,
      last: nextPageToken === undefined,
      stages: timer.milliseconds(),
    })
    return body
  })
}

const openWalk = (service: PageService, request: PageRequest, binding: TokenBinding): Walk | undefined =>
  request.pageToken === undefined
    ? undefined
    : openPageToken(service.sealer, request.pageToken, { binding, now: service.now() })

const sealWalk = (
  service: PageService,
  next: Omit<Walk, 'position'>,
  { position }: PageRows,
  binding: TokenBinding,
): string | undefined =>
  position === undefined
    ? undefined
    : sealPageToken(service.sealer, { ...next, position }, { binding, now: service.now() })

/** Only revision 1.0 has it (P68). */
const totalCount = ({ endpoint }: PageRequest, { clock }: PageRows): string | undefined =>
  endpoint === 'listObjects' ? (clock.snapshotLive ?? clock.live) : undefined

/** The primary key is always among them (P60, P81). */
const selectedProperties = ({ select }: PageRequest, type: ObjectType): readonly string[] | undefined =>
  select === undefined ? undefined : [type.key.property, ...select]
