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
import { refuseLinks } from '../links/linked-queries.ts'
import { writeChanges } from '../page/write-changes.ts'
import { filtersOf } from '../plan/plan-page.ts'
import type { PageRequest } from '../request/page-request.ts'
import { identityText, type RequestIdentity } from '../request/request-identity.ts'
import type { ParsedChanges } from '../request/parse-changes-request.ts'
import { resolveNames } from '../request/resolve-names.ts'
import { readDifference } from '../rows/changes/read-difference.ts'
import { checksumText } from '../rows/state/page-clock.ts'
import { openNamed, sealSnapshotToken, viewOf } from '../token/snapshot-token.ts'
import { tokenBinding } from '../token/token-binding.ts'
import { positionRoom } from '../token/token-claims.ts'
import type { WatchedState, Woken } from '../wait/clock-watch.ts'
import type { WaitLimits } from '../wait/waiting-requests.ts'
import { identityOfRequest, openRequest } from '../walk/open-request.ts'
import { answerBy, type PageService } from '../walk/page-service.ts'
import { withType, type TypeArrival } from '../walk/type-context.ts'

export interface ChangesArrival {
  readonly requestId: string
  readonly target: PageTarget
  readonly parse: () => ParsedChanges
  /** Checks the caller again: to be called after every wait (P121). */
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
  readonly audited: Pick<ObjectsRead, 'ontologyRid' | 'objectType' | 'objects' | 'walkId'>
  /** The same question gets the same answer. Undefined if it depends on the caller. */
  readonly sharedName: string | undefined
  /** Gives back what was reserved for it. */
  readonly release: () => void
}

export async function serveChanges(service: PageService, arrival: ChangesArrival): Promise<Buffer> {
  const parsed = arrival.parse()
  const read: ReadAs = (caller) =>
    arrival.inTime((signal) => readAnswer(service, { ...arrival, caller, signal }, parsed))
  const endsAt = performance.now() + parsed.waitSeconds * 1_000
  let caller = await arrival.caller()
  let answer = await firstAnswer(service, arrival.target, { parsed, caller, read })
  while (answer.fromVersion === answer.toVersion) {
    const milliseconds = endsAt - performance.now()
    if (milliseconds <= 0) break
    // A request that waits holds nothing.
    answer.release()
    const { type, state, sharedName } = answer
    const { subject } = caller
    const woken = await arrival.whileWaiting((signals) =>
      service.watch.wait(type, state, { subject, milliseconds, ...signals }),
    )
    // Nothing is sent to a caller who has lost the right to it meanwhile.
    caller = await arrival.caller()
    await findObjectType(service, caller, arrival.target)
    if (woken.why === 'time') break
    if (woken.why === 'access') continue
    const current = caller
    answer =
      sharedName === undefined
        ? await read(current)
        : await readOnce(woken, sharedName, { read: () => read(current), isGone: arrival.isGone })
    // The answer may have a page token of the caller who read it.
    if (sharedName !== undefined && answer.sharedName === undefined) answer = await read(current)
  }
  // One answer may have been read for many; each of them has got it.
  service.observe({
    kind: 'objects-read',
    requestId: arrival.requestId,
    subject: caller.subject,
    endpoint: parsed.request.endpoint,
    ...answer.audited,
    bytes: answer.body.length,
    mode: 'snapshot',
  })
  return answer.body
}

type ReadAs = (caller: Caller) => Promise<Answer>

interface Question {
  readonly parsed: ParsedChanges
  readonly caller: Caller
  readonly read: ReadAs
}

/**
 * Thousands who follow a type ask again whenever their time is up. That nothing has changed is read for all of them together, at most
 * once a second: they wait from then on, and learn of what was committed since. What has changed, each reads itself.
 */
async function firstAnswer(service: PageService, target: PageTarget, question: Question): Promise<Answer> {
  const { parsed, caller, read } = question
  const name = parsed.waitSeconds > 0 ? await nameOfQuestion(service, target, question) : undefined
  if (name === undefined) return read(caller)
  let own: Promise<Answer> | undefined
  const shared = await Promise.race([
    service.watch.lately().once(name, () => {
      own = read(caller)
      return own.catch(() => undefined)
    }),
    sleep(longestForAnother, undefined, { ref: false }),
  ])
  if (own !== undefined) return own
  // Where the read of another one fails or takes long, each reads itself.
  const isUsable =
    shared !== undefined && shared.fromVersion === shared.toVersion && shared.sharedName !== undefined
  return isUsable ? shared : read(caller)
}

const longestForAnother = 1_000

/** The same for questions with the same answer; undefined if the answer depends on the caller, or is not a first page. */
async function nameOfQuestion(
  service: PageService,
  target: PageTarget,
  { parsed, caller }: Question,
): Promise<string | undefined> {
  const { ontology, type } = await findObjectType(service, caller, target)
  const request = resolveNames(parsed.request, type)
  if (request.pageToken !== undefined || viewOf(type, caller.claims) !== undefined) return undefined
  const since = openNamed({ service, ontology, type, request })
  if (since?.view !== undefined) return undefined
  const identity = identityOfRequest({ request, ontology, type }, { named: since })
  return questionName(request, identity, type)
}

const questionName = (
  { pageSize }: PageRequest,
  identity: RequestIdentity,
  { revisionTag }: ObjectType,
): string => `${identityText(identity)} ${pageSize} ${revisionTag}`

/** What one of those who waited reads for all of them. If its client leaves meanwhile, another one of them reads. */
async function readOnce(
  { once }: Pick<Woken, 'once'>,
  name: string,
  { read, isGone }: { readonly read: () => Promise<Answer> } & Pick<ChangesArrival, 'isGone'>,
): Promise<Answer> {
  for (;;) {
    let own: Promise<Answer> | undefined
    const shared = await once(name, () => {
      own = read()
      return own.catch((error: unknown) => {
        if (isGone()) return undefined
        throw error
      })
    })
    if (shared !== undefined) return shared
    if (own !== undefined) return own
  }
}

async function readAnswer(
  service: PageService,
  arrival: TypeArrival,
  parsed: ParsedChanges,
): Promise<Answer> {
  const endsAt = answerBy(service)
  return withType(service, arrival, async (typeContext, reservation) => {
    const { type, caller, ontology, signal } = typeContext
    const request = { ...resolveNames(parsed.request, type), after: typeContext.after }
    const context = { ...typeContext, request }
    const since = openNamed(context)
    invariant(since !== undefined, 'changes-since-no-state')
    const to = openNamed({ ...context, request: { snapshotToken: parsed.to } })
    const view = viewOf(type, caller.claims)
    if (since.view !== view) {
      throw new ServiceError('ChangesExpired', { objectType: type.apiName, reason: 'accessChanged' })
    }
    const identity = identityOfRequest(context, { named: since, to })
    const { walk, next: nextWalk } = openRequest(context, tokenBinding(caller, identity))
    refuseLinks(request.query, 'changes')
    const { filter, policy } = filtersOf(type, request, caller.claims)
    const difference = await readDifference(
      service.store,
      {
        type,
        since,
        at: walk?.mode.kind === 'snapshot' ? walk.mode : (to ?? { kind: 'capture', after: request.after }),
        policy,
        filter,
        pageSize: request.pageSize,
        select: request.select,
        position: walk?.position,
        lastKey: walk?.partition?.end,
      },
      { signal, answerBy: endsAt },
    )
    const { at, clock, puts, deletes, position } = difference
    const objects = (puts?.objects ?? 0) + deletes.length
    const next = nextWalk(objects, { mode: at })
    // A walk that continues in another state has got only some of the objects (P247).
    const isWhole = filter === everything && walk?.partition === undefined
    const isLast = position === undefined
    const body = writeChanges(difference, {
      fromVersion: since.version,
      toVersion: at.version,
      nextPageToken: isLast ? undefined : next.tokenAfter(position, isWhole ? undefined : roomFor(type)),
      snapshotToken: isLast ? sealSnapshotToken(context, [type], new Map([[type.id, at]])) : undefined,
      total: isLast && isWhole ? (clock.snapshotLive ?? undefined) : undefined,
      checksum: isLast && isWhole && request.select === undefined ? checksumText(clock) : undefined,
    })
    puts?.giveBack?.()
    reservation.keep(body.length)
    const isShared = isLast && walk === undefined && view === undefined
    return {
      body,
      type,
      fromVersion: since.version,
      toVersion: at.version,
      state: at,
      audited: { ontologyRid: ontology.rid, objectType: type.apiName, objects, walkId: next.id },
      sharedName: isShared ? questionName(request, identity, type) : undefined,
      release: reservation.release,
    }
  })
}

/** A position in a feed that hides something always has the same length. */
const roomFor = ({ key }: ObjectType): number =>
  positionRoom(['long', key.scalar, 'long', key.scalar, key.scalar])
