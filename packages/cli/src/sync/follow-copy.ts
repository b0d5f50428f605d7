// Keeps a copy equal to the service: waits for a change of any of its types, and brings all of them to the latest state.
import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from './service-answers.ts'
import { syncTypes, type Sync, type SyncedType } from './sync-types.ts'

export interface FollowWatch {
  readonly onSynced: (synced: readonly SyncedType[]) => Promise<void>
  readonly onTrouble: (error: unknown, pauseMs: number) => void
  /** The copy holds everything that the service has reported. */
  readonly onInStep: () => void
}

/** A request that waits longer is more likely to be cut off on its way. */
const waitSeconds = 25
/** The token of a copy is renewed at least this often: the key that sealed an old one may be retired, also if nothing changes. */
const renewEveryMs = 5 * 60_000
const firstPauseMs = 500
const longestPauseMs = 30_000

/** Ends when it is asked to stop. */
export async function followCopy(
  sync: Sync,
  begun: readonly SyncedType[],
  watch: FollowWatch,
): Promise<void> {
  const objectTypes = begun.map(({ state }) => state.type.apiName)
  let latest = begun
  let failures = 0
  let renewedAt = performance.now()
  while (!sync.signal.aborted) {
    try {
      const isChanged = await waitForChange(sync, latest)
      if (isChanged || performance.now() - renewedAt >= renewEveryMs) {
        latest = await syncTypes(sync, objectTypes, new Set())
        renewedAt = performance.now()
      }
      // Not before: the service may answer while the database of the copy is away.
      failures = 0
      watch.onInStep()
      if (isChanged) await watch.onSynced(latest)
    } catch (error) {
      if (sync.signal.aborted) return
      if (!mayPass(error)) throw error
      // With jitter, so that all who follow do not come back at the same moment.
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures) * (0.5 + Math.random() / 2)
      failures += 1
      watch.onTrouble(error, pauseMs)
      await sleep(pauseMs, undefined, { signal: sync.signal }).catch(() => {})
    }
  }
}

/** One request for each type; the first that has a change ends all of them. */
async function waitForChange(sync: Sync, latest: readonly SyncedType[]): Promise<boolean> {
  const enough = new AbortController()
  const signal = AbortSignal.any([sync.signal, enough.signal])
  const waits = latest.map(async ({ state }) => {
    const objects = sync.client.family(sync.family).objects(state.type.apiName)
    const changes = objects.changes(state.snapshotToken, { waitSeconds, pageSize: 1, signal })
    for await (const page of changes.pages()) if (page.length > 0) return true
    return changes.fromVersion !== changes.toVersion
  })
  try {
    return await new Promise((resolve, reject) => {
      for (const wait of waits) wait.then((isChanged) => isChanged && resolve(true), reject)
      Promise.all(waits).then(() => resolve(false), reject)
    })
  } finally {
    enough.abort()
    await Promise.allSettled(waits)
  }
}
