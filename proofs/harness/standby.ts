import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '@octavo/dev-database'
import { askServer } from '../../packages/service/test/support/serve-with-standby.ts'

/** Resolves once the standby has all that the primary has written. */
export async function untilReplayed(primary: Cluster, standby: Cluster): Promise<void> {
  const [written] = await askServer(primary, 'select pg_current_wal_lsn() as lsn')
  for (;;) {
    const [row] = await askServer(
      standby,
      `select pg_last_wal_replay_lsn() >= '${written?.['lsn'] ?? ''}'::pg_lsn as there`,
    )
    if (row?.['there'] === 't') return
    await sleep(50)
  }
}

/** From then on the standby receives nothing. */
export async function cutOff(standby: Cluster): Promise<void> {
  await askServer(standby, "alter system set primary_conninfo = ''")
  await askServer(standby, 'select pg_reload_conf()')
  for (;;) {
    const rows = await askServer(standby, 'select 1 from pg_stat_wal_receiver')
    if (rows.length === 0) return
    await sleep(50)
  }
}
