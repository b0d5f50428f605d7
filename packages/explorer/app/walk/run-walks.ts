// Reads a type twice at the same time, and finds out what each of the two has missed and repeated.
import { createClient, type FoundObjects } from '@octavo/client'
import type { WalkJob, WalkPage, WalkResult } from '../reader/messages.ts'

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

type Tell = (message: WalkPage | WalkResult) => void

export async function runWalks(job: WalkJob, tell: Tell): Promise<void> {
  const { url, token, family, type, primaryKey, order, pageSize, pauseMilliseconds } = job
  const reader = createClient({ url, token }).family(family)
  const objects = reader.objects(type)
  const start = await reader.snapshot([type])
  const options = { pageSize, readAhead: 0, ...(order.length > 0 && { orderBy: order }) }

  const readPlain = async (): Promise<ReadonlyMap<string, number>> => {
    const times = new Map<string, number>()
    for await (const { data } of objects.pages({ ...options, select: [primaryKey] })) {
      let repeated = 0
      for (const { primaryKey: key } of data) {
        const before = times.get(key) ?? 0
        if (before > 0) repeated += 1
        times.set(key, before + 1)
      }
      tell({ kind: 'page', reader: 'plain', objects: data.length, repeated })
      await pause(pauseMilliseconds)
    }
    return times
  }
  const readSnapshot = async () => {
    const keys: string[] = []
    let checksum: string | undefined
    for await (const page of objects.pages({ ...options, snapshotToken: start.snapshotToken })) {
      for (const { primaryKey: key } of page.data) keys.push(key)
      checksum = page.checksum
      tell({ kind: 'page', reader: 'snapshot', objects: page.data.length, repeated: 0 })
      await pause(pauseMilliseconds)
    }
    return { keys, checksum }
  }
  const [times, { keys, checksum }] = await Promise.all([readPlain(), readSnapshot()])
  const known = new Set(keys)
  const { deleted, put } = await changesSince(objects, start.snapshotToken, primaryKey)
  // An object that is gone by now may have been gone when its page was read: only those that stayed should have come.
  const missed = keys.flatMap((key, i) => (times.has(key) || deleted.has(key) ? [] : [i]))
  const inserted = [...put].filter((key) => !known.has(key)).length
  tell({
    kind: 'walked',
    total: keys.length,
    version: start.versions[type] ?? '',
    checksum,
    missed,
    repeated: [...times.values()].reduce((sum, count) => sum + count - 1, 0),
    changed: put.size - inserted,
    inserted,
    deleted: deleted.size,
  })
}

async function changesSince(objects: FoundObjects, since: string, primaryKey: string) {
  const put = new Set<string>()
  const deleted = new Set<string>()
  for await (const change of objects.changes(since, { select: [primaryKey] })) {
    if (change.type === 'put') put.add(change.primaryKey)
    else deleted.add(change.primaryKey)
  }
  return { put, deleted }
}
