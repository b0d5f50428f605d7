// One client that reads as fast as it can: how many objects a second, and who is busy meanwhile. No threshold: it is a figure of the
// machine.
import { availableParallelism } from 'node:os'
import { createClient } from '@octavo/client'
import { cpuSecondsOf, cpuSecondsOfCluster } from '../harness/cpu-time.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import type { ServedCollection } from '../harness/with-store.ts'
import { expect } from '../harness/prove.ts'

export async function describeOneReader(
  { url, service: { pid }, cluster }: ServedCollection,
  { objects, seconds }: { readonly objects: number; readonly seconds: number },
): Promise<string> {
  const employees = createClient({ url, token: testToken }).family('proof').objects('employee')
  const busy = () => ({
    client: process.cpuUsage(),
    service: cpuSecondsOf([pid]),
    database: cpuSecondsOfCluster(cluster),
  })
  const before = busy()
  const startedAt = performance.now()
  const passed = () => (performance.now() - startedAt) / 1_000
  let read = 0
  while (passed() < seconds) {
    for await (const { primaryKey } of employees.all({ snapshot: true })) if (primaryKey !== '') read += 1
  }
  const took = passed()
  const after = busy()
  expect(read % objects === 0, `${read} objects of ${objects} in each walk`)
  const { user, system } = process.cpuUsage(before.client)
  const shares = {
    client: (user + system) / 1e6 / took,
    service: (after.service - before.service) / took,
    PostgreSQL: (after.database - before.database) / took,
  }
  const all = Object.values(shares).reduce((sum, share) => sum + share, 0)
  const parts = Object.entries(shares).map(([name, share]) => `${name} ${share.toFixed(2)}`)
  const cores = availableParallelism()
  const rest = `of ${cores} cores; all of them busy would give at most ${Math.round((read / took / all) * cores).toLocaleString('en')}`
  return `${Math.round(read / took).toLocaleString('en')} objects/s with processors busy by ${parts.join(', ')}, together ${all.toFixed(2)} ${rest}`
}
