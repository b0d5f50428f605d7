import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Cluster } from './cluster.ts'
import { startCluster } from './start-cluster.ts'
import { replicationSettings, startStandby } from './start-standby.ts'
import { withClient } from './with-client.ts'

let primary: Cluster
let standby: Cluster

beforeAll(async () => {
  primary = await startCluster({ settings: replicationSettings })
  standby = await startStandby(primary)
})

afterAll(async () => {
  await standby.stop()
  await primary.stop()
})

const ask = (cluster: Cluster, sql: string) =>
  withClient(cluster.url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows)

it('a commit on the primary arrives at the standby, which refuses changes', async () => {
  await ask(primary, 'create table note as select 7 as n')
  await expect.poll(() => ask(standby, 'select n from note').catch(() => [])).toEqual([{ n: 7 }])
  await expect(ask(standby, 'delete from note')).rejects.toMatchObject({ code: '25006' })
})

it('a standby continues after a crash, and can become the primary', async () => {
  await standby.kill()
  await ask(primary, 'update note set n = 8')
  await standby.start()
  await expect.poll(() => ask(standby, 'select n from note')).toEqual([{ n: 8 }])
  await ask(standby, 'select pg_promote()')
  await ask(standby, 'update note set n = 9')
  expect(await ask(primary, 'select n from note')).toEqual([{ n: 8 }])
})
