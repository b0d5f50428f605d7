// The beginning of subscriptions: their sets are found one after another, and one statement reads the state from which all of them
// begin.
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { OntologyTarget } from '../../catalog/find-object-type.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import type { LinkedStates } from '../../read/token/walk.ts'
import type { KnownSet } from './follow-set.ts'
import { findSet, type FollowedSet, type WantedSet } from './followed-set.ts'
import { admitted, settledInTurn } from './in-turn.ts'
import { newestStates } from '../../read/rows/state/read-versions.ts'

export interface Beginning {
  readonly caller: Caller
  readonly target: OntologyTarget
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
}

/** What the client of each of them knows, in order; or why it cannot be followed. */
export async function beginFollowing(
  service: PageService,
  { caller, target, signal }: Beginning,
  wanted: readonly WantedSet[],
): Promise<readonly PromiseSettledResult<KnownSet>[]> {
  if (wanted.length === 0) return []
  const begin = async (): Promise<readonly PromiseSettledResult<KnownSet>[]> => {
    const found = await settledInTurn(wanted, (each) => findSet(service, { caller, target }, each))
    const sets = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const states = await latestStates(service, sets)
    return found.map((each) => (each.status === 'fulfilled' ? knownSet(caller, each.value, states) : each))
  }
  return admitted(service, { subject: caller.subject, signal }, begin).catch((reason: unknown) =>
    wanted.map(() => ({ status: 'rejected', reason })),
  )
}

async function latestStates(
  { store }: Pick<PageService, 'store'>,
  sets: readonly FollowedSet[],
): Promise<LinkedStates> {
  const types = sets.flatMap((set) => set.types)
  const [first] = types
  return first === undefined
    ? new Map()
    : newestStates(store, first.schema, [...new Set(types.map(({ id }) => id))])
}

function knownSet(caller: Caller, set: FollowedSet, states: LinkedStates): PromiseSettledResult<KnownSet> {
  const missing = set.types.find(({ id }) => !states.has(id))
  return missing === undefined
    ? { status: 'fulfilled', value: { caller, set, states } }
    : { status: 'rejected', reason: new StaleDefinition(missing) }
}
