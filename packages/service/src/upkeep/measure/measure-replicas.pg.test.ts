import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries, startCluster } from '@octavo/dev-database'
import { expect, it } from 'vitest'
import { openTestStore } from '../../../test/support/open-test-store.ts'
import { measureReplicas } from './measure-replicas.ts'

it('tells the standbys that are connected, by their names', async () => {
  const { folder } = await findBinaries()
  const cluster = await startCluster({ settings: { wal_level: 'replica', max_wal_senders: '2' } })
  const archive = mkdtempSync(join(tmpdir(), 'octavo-archive-'))
  const store = openTestStore({ databaseUrl: cluster.url })
  try {
    expect(await measureReplicas(store.database)).toEqual([])
    const url = new URL(cluster.url)
    url.searchParams.set('application_name', 'archive')
    // It receives the write-ahead log as a standby does.
    const receiver = spawn(
      join(folder, 'pg_receivewal'),
      [`--dbname=${url.href}`, `--directory=${archive}`],
      {
        stdio: 'ignore',
      },
    )
    await expect
      .poll(() => measureReplicas(store.database))
      .toEqual([{ name: 'archive', lagSeconds: expect.any(Number) }])
    receiver.kill()
    await once(receiver, 'exit')
    await expect.poll(() => measureReplicas(store.database)).toEqual([])
  } finally {
    await store.database.close()
    await cluster.stop()
    rmSync(archive, { recursive: true })
  }
})
