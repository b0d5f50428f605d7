// Follows a collection in a separate process, so that it can be killed at any moment. Its copy and token are in a file; it reports
// each state once it is stored.
import { createClient, type Difference, type FoundObject } from '@octavo/client'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { objectTypeName } from '../harness/faults/fault-objects.ts'
import type { FollowerOrder, FollowerReport, ReportedState } from './follower-order.ts'
import { readStored, store } from './follower-store.ts'

const report = (what: FollowerReport): Promise<void> =>
  new Promise((resolve) => process.send?.(what, () => resolve()))

// However the parent ends.
process.once('disconnect', () => process.exit())

process.once('message', (order: FollowerOrder) => {
  void follow(order).catch(async (error: unknown) => {
    await report({
      kind: 'failed',
      why: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
    process.exit(1)
  })
})

async function follow({
  url,
  apiFamily,
  file,
  pageSize,
  waitSeconds,
  mutation,
}: FollowerOrder): Promise<void> {
  const client = createClient({ url, token: testToken, timeoutSeconds: 15, backoffMilliseconds: 50 })
  const stored = readStored(file)
  let copy: ReadonlyMap<string, FoundObject> = byKey(stored?.objects ?? [])
  if (stored !== undefined) await report({ ...stored, kind: 'state', fromFile: true, changes: 0, odd: [] })
  await client
    .family(apiFamily)
    .objects(objectTypeName)
    .follow({
      onExpired: 'restart',
      pageSize,
      waitSeconds,
      ...(stored !== undefined && { fromSnapshotToken: stored.snapshotToken }),
    })
    .each(async (difference) => {
      const isWhole = difference.restarts !== undefined && mutation !== 'keeps what was lost'
      const { later, ...applied } = await applyTo(isWhole ? new Map() : copy, difference)
      const state: ReportedState = {
        kind: 'state',
        fromFile: false,
        by: difference.restarts === undefined ? 'changes' : `restart: ${difference.restarts}`,
        ...applied,
        snapshotToken: difference.snapshotToken,
        version: difference.toVersion,
        reachedAt: Date.now(),
        checksum: difference.checksum,
        totalCount: difference.totalCount,
        objects: [...later.values()],
      }
      if (mutation === 'token before data') {
        store(file, { ...state, objects: [...copy.values()] })
        if (Math.random() < 0.2) process.kill(process.pid, 'SIGKILL')
      }
      store(file, state)
      copy = later
      await report(state)
    })
}

async function applyTo(
  copy: ReadonlyMap<string, FoundObject>,
  difference: Difference<FoundObject>,
): Promise<Pick<ReportedState, 'changes' | 'odd'> & { readonly later: ReadonlyMap<string, FoundObject> }> {
  const later = new Map(copy)
  const named = new Set<string>()
  const odd: string[] = []
  for await (const change of difference) {
    const { primaryKey } = change
    if (named.has(primaryKey)) odd.push(`${primaryKey} is named twice`)
    named.add(primaryKey)
    if (change.type === 'put') later.set(primaryKey, change.object)
    else if (!later.delete(primaryKey)) odd.push(`${primaryKey} is deleted and was not there`)
  }
  return { later, changes: named.size, odd }
}

const byKey = (objects: readonly FoundObject[]): ReadonlyMap<string, FoundObject> =>
  new Map(objects.map((object) => [object.primaryKey, object]))
