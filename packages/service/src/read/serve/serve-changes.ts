// Serves what is different between a state that the caller has and the latest one, page by page. A caller that has the latest
// state can wait for the next.
import { setTimeout as sleep } from 'node:timers/promises'
import { invariant } from '../../base/errors/invariant.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { everything } from '../../catalog/filter/filter.ts'
import { findObjectType, type PageTarget } from '../../catalog/find-object-type.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Reservation } from '../../guard/admit/admission.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { ObjectsRead } from '../../observe/observation.ts'
import { writeChanges } from '../page/write-changes.ts'
import { refuseLinks } from '../links/linked-queries.ts'
import { filtersOf } from '../plan/plan-page.ts'
import type { ParsedChanges } from '../request/parse-changes-request.ts'
import type { PageRequest } from '../request/page-request.ts'
import { identityText, requestIdentity, type RequestIdentity } from '../request/request-identity.ts'
import { resolveNames } from '../request/resolve-names.ts'
import { checksumText } from '../rows/state/page-clock.ts'
import type { PageService } from '../walk/page-service.ts'
import { openRequest } from '../walk/open-request.ts'
import { openNamed, sealSnapshotToken, viewOf } from '../token/snapshot-token.ts'
import { positionRoom } from '../token/token-claims.ts'
import { tokenBinding } from '../token/token-binding.ts'
import type { WaitLimits, WatchedState, Woken } from '../wait/clock-watch.ts'

export interface ChangesArrival {
  readonly requestId: string
  readonly target: PageTarget
  readonly parse: () => ParsedChanges
  /** Who asks, checked anew: to be called again after every wait (P121). */
  readonly caller: () => Promise<Caller>
  /** Runs the work for one answer, with a signal that aborts when the client is gone or the time for it is up. */
  readonly inTime: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>
  /** Waits, with signals that abort when the client is gone and when this instance stops. */
  readonly whileWaiting: <T>(
    wait: (signals: Pick<WaitLimits, 'signal' | 'stopping'>) => Promise<T>,
  ) => Promise<T>
  readonly hold: (reservation: Reservation) => void
  /** Whether the client has left, so that nobody reads the answer. */
  readonly isGone: () => boolean
}

interface Answer {
  readonly body: Buffer
  readonly type: ObjectType
  readonly fromVersion: string
  readonly toVersion: string
  /** The later state. */
  readonly state: WatchedState
  /** For the audit. */
  readonly read: Pick<ObjectsRead, 'ontologyRid' | 'objectType' | 'objects' | 'walkId'>
  /** Whoever asks the same gets the same answer. Undefined if it depends on the caller. */
  readonly sameFor: string | undefined
  /** Gives back what was reserved for it. */
  readonly release: () => void
}

export async function serveChanges(service: PageService, arrival: ChangesArrival): Promise<Buffer> {
  const asked = arrival.parse()
  const answer = async (caller: Caller): Promise<Answer> =>
    arrival.inTime((signal) => readAnswer(service, arrival, { asked, caller, signal }))
  const endsAt = performance.now() + asked.waitSeconds * 1_000
  let caller = await arrival.caller()
  let given = await firstAnswer(service, arrival, { asked, caller, answer })
  while (given.fromVersion === given.toVersion) {
    const milliseconds = endsAt - performance.now()
    if (milliseconds <= 0) break
    // Whoever waits holds nothing.
    given.release()
    const { type, state, sameFor } = given
    const { subject } = caller
    const woken = await arrival.whileWaiting((signals) =>
      service.watch.wait(type, state, { subject, milliseconds, ...signals }),
    )
    // Nothing is sent to a caller who has lost the right to it meanwhile.
    caller = await arrival.caller()
    await findObjectType(service, caller, arrival.target)
    if (woken.why === 'time') break
    if (woken.why === 'access') continue
    given =
      sameFor === undefined
        ? await answer(caller)
        : await readOnce(woken, sameFor, { read: () => answer(caller), isGone: arrival.isGone })
    // The answer may have a page token of the caller who read it.
    if (sameFor !== undefined && given.sameFor === undefined) given = await answer(caller)
  }
  // One answer may have been read for many; each of them has got it.
  service.observe({
    kind: 'objects-read',
    requestId: arrival.requestId,
    subject: caller.subject,
    endpoint: asked.request.endpoint,
    ...given.read,
    bytes: given.body.length,
    mode: 'snapshot',
  })
  return given.body
}

interface FirstAsking extends Pick<Asking, 'asked' | 'caller'> {
  readonly answer: (caller: Caller) => Promise<Answer>
}

/**
 * Thousands who follow a type ask again whenever their time is up. That nothing has changed is read for all of them together, at most
 * once a second: they wait from then on, and learn of what was committed since. Whatever has changed, each reads itself.
 */
async function firstAnswer(
  service: PageService,
  { target }: Pick<ChangesArrival, 'target'>,
  { asked, caller, answer }: FirstAsking,
): Promise<Answer> {
  const name = asked.waitSeconds > 0 ? await nameOfQuestion(service, target, { asked, caller }) : undefined
  if (name === undefined) return answer(caller)
  let own: Promise<Answer> | undefined
  const given = await Promise.race([
    service.watch.lately().once(name, () => {
      own = answer(caller)
      return own.catch(() => undefined)
    }),
    sleep(longestForAnother, undefined, { ref: false }),
  ])
  if (own !== undefined) return own
  // Where the read of another one fails or takes long, each reads itself.
  const isShared = given !== undefined && given.fromVersion === given.toVersion && given.sameFor !== undefined
  return isShared ? given : answer(caller)
}

const longestForAnother = 1_000

/** The same for questions with the same answer; undefined if the answer depends on the caller, or is not a first page. */
async function nameOfQuestion(
  service: PageService,
  target: PageTarget,
  { asked, caller }: Pick<Asking, 'asked' | 'caller'>,
): Promise<string | undefined> {
  const { ontology, type } = await findObjectType(service, caller, target)
  const request = resolveNames(asked.request, type)
  if (request.pageToken !== undefined || viewOf(type, caller.claims) !== undefined) return undefined
  const since = openNamed(service.sealer, request, { ontology, type })
  if (since?.view !== undefined) return undefined
  const place = { ontologyRid: ontology.rid, objectType: type.apiName, named: since }
  return nameOf(request, requestIdentity(request, place), type)
}

const nameOf = ({ pageSize }: PageRequest, identity: RequestIdentity, { revisionTag }: ObjectType): string =>
  `${identityText(identity)} ${pageSize} ${revisionTag}`

/** What one of those who waited reads for all of them. If its client leaves meanwhile, another one of them reads. */
async function readOnce(
  { once }: Pick<Woken, 'once'>,
  name: string,
  { read, isGone }: { readonly read: () => Promise<Answer> } & Pick<ChangesArrival, 'isGone'>,
): Promise<Answer> {
  for (;;) {
    let own: Promise<Answer> | undefined
    const given = await once(name, () => {
      own = read()
      return own.catch((error: unknown) => {
        if (isGone()) return undefined
        throw error
      })
    })
    if (given !== undefined) return given
    if (own !== undefined) return own
  }
}

interface Asking {
  readonly asked: ParsedChanges
  readonly caller: Caller
  readonly signal: AbortSignal
}

async function readAnswer(
  service: PageService,
  { target, hold }: ChangesArrival,
  { asked, caller, signal }: Asking,
): Promise<Answer> {
  const { store, sealer } = service
  const answerBy = store.answerBy()
  const reservation = await service.admission.reserve(caller.subject, signal)
  hold(reservation)
  const { ontology, type } = await findObjectType(service, caller, target)
  return store.catalog.withFreshType(ontology, type, async (fresh) => {
    const request = resolveNames(asked.request, fresh)
    const since = openNamed(sealer, request, { ontology, type: fresh })
    invariant(since !== undefined, 'changes-since-no-state')
    const to = openNamed(sealer, { snapshotToken: asked.to }, { ontology, type: fresh })
    const view = viewOf(fresh, caller.claims)
    if (since.view !== view) {
      throw new ServiceError('ChangesExpired', { objectType: fresh.apiName, reason: 'accessChanged' })
    }
    const identity = requestIdentity(request, {
      ontologyRid: ontology.rid,
      objectType: fresh.apiName,
      named: since,
      to,
    })
    const binding = tokenBinding(caller, identity)
    const { walk, next: nextWalk } = openRequest(service, request, binding)
    refuseLinks(request.query, 'changes')
    const { filter, policy } = filtersOf(fresh, request, caller.claims)
    const difference = await store.readDifference(
      {
        type: fresh,
        since,
        at: walk?.mode.kind === 'snapshot' ? walk.mode : (to ?? { kind: 'capture' }),
        policy,
        filter,
        pageSize: request.pageSize,
        select: request.select,
        position: walk?.position,
        lastKey: walk?.partition?.end,
      },
      { signal, answerBy },
    )
    const { at, clock, puts, deletes, position } = difference
    const objects = (puts?.objects ?? 0) + deletes.length
    const next = nextWalk(objects, { mode: at })
    // A walk that goes on in another state has got only some of the objects (P247).
    const isWhole = filter === everything && walk?.partition === undefined
    const isLast = position === undefined
    const body = writeChanges(difference, {
      fromVersion: since.version,
      toVersion: at.version,
      nextPageToken: isLast ? undefined : next.tokenAfter(position, isWhole ? undefined : roomFor(fresh)),
      snapshotToken: isLast
        ? sealSnapshotToken(sealer, { ...at, view }, { ontology, type: fresh })
        : undefined,
      total: isLast && isWhole ? (clock.snapshotLive ?? undefined) : undefined,
      checksum: isLast && isWhole && request.select === undefined ? checksumText(clock) : undefined,
    })
    puts?.giveBack?.()
    reservation.keep(body.length)
    const isSame = isLast && walk === undefined && view === undefined
    return {
      body,
      type: fresh,
      fromVersion: since.version,
      toVersion: at.version,
      state: at,
      read: { ontologyRid: ontology.rid, objectType: fresh.apiName, objects, walkId: next.id },
      sameFor: isSame ? nameOf(request, identity, fresh) : undefined,
      release: reservation.release,
    }
  })
}

/** A position in a feed that hides something has the same length whatever it hides. */
const roomFor = ({ key }: ObjectType): number =>
  positionRoom(['long', key.scalar, 'long', key.scalar, key.scalar])
