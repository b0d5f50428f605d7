// Follows one object set, and sends what has changed in it. While nothing changes it only waits, together with every other request
// and subscription of its type (read/wait).
import { setTimeout as sleep } from 'node:timers/promises'
import { errorTable, type ErrorName } from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import type { ServiceError } from '../../base/errors/service-error.ts'
import type { OntologyTarget } from '../../catalog/find-object-type.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { canonicalJson } from '../../read/request/request-identity.ts'
import type { Captured, LinkedStates } from '../../read/token/walk.ts'
import { policyFilter } from '../../catalog/filter/policy-filter.ts'
import type { Woken } from '../../read/wait/clock-watch.ts'
import type { WaitLimits } from '../../read/wait/waiting-requests.ts'
import { findSet, latestOf, type FollowedSet, type WantedSet } from './followed-set.ts'
import { admitted } from './in-turn.ts'
import { readNews, type News } from './read-news.ts'

export interface Following {
  readonly target: OntologyTarget
  readonly wanted: WantedSet
  /** Checks the credentials again and returns who listens: to be called before anything is sent (P121). */
  readonly caller: () => Promise<Caller>
  /** Until the client has taken most of what was sent. */
  readonly hasRoom: () => Promise<void>
  /** False if the client does not take what is sent: then it was not sent. */
  readonly sendChanges: (
    caller: Caller,
    set: FollowedSet,
    news: Extract<News, { kind: 'changes' }>,
  ) => boolean
  readonly sendRefresh: (set: FollowedSet) => void
  /** Does the work after all that was to be done for the same caller before. */
  readonly takeTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Aborts when the subscription ends. */
  readonly signal: AbortSignal
  readonly stopping: AbortSignal
  /** For failures that end by themselves. */
  readonly explain: (error: unknown) => ServiceError
}

/** What the client knows: the set as it was when something was last sent, and as which caller. */
export interface KnownSet {
  readonly caller: Caller
  readonly set: FollowedSet
  readonly states: LinkedStates
}

/** Ends when the subscription does, and with an error if it cannot continue. */
export async function followSet(service: PageService, following: Following, begun: KnownSet): Promise<void> {
  const { signal, stopping } = following
  const isOver = (): boolean => signal.aborted || stopping.aborted
  let known: KnownSet | undefined = begun
  while (!isOver()) {
    try {
      await following.hasRoom()
      const woken: Woken | undefined = known && (await nextChange(service, known, following))
      if (isOver()) return
      if (woken?.why === 'time') continue
      const wakeup: Wakeup = { known, woken }
      known = await following.takeTurn(async () =>
        isOver() ? undefined : sendNews(service, following, wakeup),
      )
    } catch (error) {
      if (isOver()) return
      const failure = following.explain(error)
      if (!passesByItself(failure.errorName)) throw failure
      await sleep(retryMs * (1 + Math.random()), undefined, { signal }).catch(() => {})
    }
  }
}

/** A failure of the service itself may pass, too, but somebody has to look at it. */
export const passesByItself = (name: ErrorName): boolean =>
  errorTable[name].retryable && name !== 'Default:Internal'

const retryMs = 1_000
/** Timers cannot wait for ever. */
const waitMs = 24 * 60 * 60 * 1_000

/** Waits until one of the types has changed. */
async function nextChange(
  { watch }: PageService,
  { caller: { subject }, set, states }: KnownSet,
  { signal, stopping }: Pick<WaitLimits, 'signal' | 'stopping'>,
): Promise<Woken> {
  const ended = new AbortController()
  const end = (): void => ended.abort()
  signal.addEventListener('abort', end)
  const limits = { subject, milliseconds: waitMs, signal: ended.signal, stopping }
  const waits = set.types.map((type) => watch.wait(type, stateIn(states, type.id), limits))
  try {
    return await Promise.race(waits)
  } finally {
    signal.removeEventListener('abort', end)
    end()
    await Promise.allSettled(waits)
  }
}

interface Wakeup {
  /** Undefined if the client has missed something. */
  readonly known: KnownSet | undefined
  readonly woken: Woken | undefined
}

/** Returns what the client knows now; undefined if it could not be sent. */
async function sendNews(
  service: PageService,
  following: Following,
  wakeup: Wakeup,
): Promise<KnownSet | undefined> {
  const { known, woken } = wakeup
  const news = await newsFor(service, wakeup)
  // After the read, which may have taken a while.
  const { caller, set } = await findListener(service, following)
  const isSame = known !== undefined && known.set.view === set.view && known.set.type.id === set.type.id
  if (isSame && woken?.why === 'access') return known
  if (!isSame || news === undefined || news.kind === 'reload') {
    // Read before the message is sent, so that nothing the client then loads is older.
    const states = await latestOnce(service, { caller, set, woken })
    following.sendRefresh(set)
    return { caller, set, states }
  }
  // The difference has the shape of an earlier definition, so it is read again.
  if (known.set.type.revisionTag !== set.type.revisionTag) return { ...known, set }
  if (news.objects > 0 && !following.sendChanges(caller, set, news)) return undefined
  return { caller, set, states: new Map([[set.type.id, news.at]]) }
}

interface Listener {
  readonly caller: Caller
  readonly set: FollowedSet
}

async function findListener(
  service: PageService,
  { caller: find, target, wanted, signal }: Following,
): Promise<Listener> {
  const caller = await find()
  const { subject } = caller
  const set = (): Promise<FollowedSet> => findSet(service, { caller, target }, wanted)
  return { caller, set: await (wanted.isPlain ? set() : admitted(service, { subject, signal }, set)) }
}

/** The latest state, read once for all who were woken by the same change. */
async function latestOnce(
  service: PageService,
  { caller: { subject }, set, woken }: Listener & Pick<Wakeup, 'woken'>,
): Promise<LinkedStates> {
  const read = (): Promise<LinkedStates> => {
    const signal = AbortSignal.timeout(service.requestTimeoutMs)
    return admitted(service, { subject, signal }, () => latestOf(service, set))
  }
  const name = `latest ${set.types.map(({ id }) => id).join(' ')}`
  return (await woken?.once(name, read)) ?? read()
}

/**
 * What has changed in the set. Undefined if its own objects do not show it: links lead to other types, and access can change without
 * any object.
 */
const newsFor = async (service: PageService, { known, woken }: Wakeup): Promise<News | undefined> =>
  known === undefined || woken?.why !== 'changed' || known.set.types.length > 1
    ? undefined
    : sharedNews(service, known, woken)

/** All clients that follow the same set from the same state, and may read the same objects of it, get the same news. */
async function sharedNews(
  service: PageService,
  { caller, set, states }: KnownSet,
  woken: Woken,
): Promise<News | undefined> {
  const { type, request } = set
  const since: Captured = { kind: 'snapshot', ...stateIn(states, type.id) }
  const name = canonicalJson([
    'subscription',
    since.version,
    since.tag,
    type.revisionTag,
    request.query,
    request.select ?? [],
    request.excludesRid ?? false,
    policyFilter(type, caller.claims),
  ])
  return woken.once(name, () => readNews(service, set, { caller, since }))
}

function stateIn(states: LinkedStates, id: number): Pick<Captured, 'version' | 'tag'> {
  const state = states.get(id)
  invariant(state !== undefined, 'followed-type-without-a-state')
  return { version: state.version, tag: state.tag }
}
