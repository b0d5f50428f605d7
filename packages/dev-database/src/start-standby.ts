import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { findBinaries } from './find-binaries.ts'
import { startGuarded } from './guarded-process.ts'
import { startGuardian } from './guardian.ts'
import { serverIdentity } from './server-identity.ts'
import { serverSettings, type ClusterOptions } from './server-settings.ts'
import { runningCluster, startOnFreePort } from './start-cluster.ts'

/** Settings that a primary needs for standbys. A standby needs at least the same values. */
export const replicationSettings = { wal_level: 'replica', max_wal_senders: '4' } as const

// Read from standard input, because an argument would be visible in the list of processes.
const withPassword = 'PGPASSWORD=$(cat); export PGPASSWORD; exec "$@"'

/** A hot standby that streams from a cluster started with `replicationSettings`. */
export async function startStandby(primary: Cluster, options: ClusterOptions = {}): Promise<Cluster> {
  const [binaries, identity] = await Promise.all([findBinaries(), serverIdentity()])
  const guardian = await startGuardian(identity)
  try {
    const { folder } = guardian
    const dataFolder = join(folder, 'data')
    const { host, port, user, password } = primary
    const flags = { pgdata: dataFolder, host, port, username: user, checkpoint: 'fast' }
    const copy = [
      join(binaries.folder, 'pg_basebackup'),
      ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
      '--write-recovery-conf',
      '--no-sync',
    ]
    const copying = await startGuarded({
      folder,
      identity,
      role: 'basebackup',
      command: ['/bin/sh', '-c', withPassword, 'octavo-pg-basebackup', ...copy],
      input: password,
    })
    const { code } = await copying.ended()
    if (code !== 0) {
      const log = await readFile(join(folder, 'basebackup.log'), 'utf8').catch(() => '')
      throw new Error(
        `pg_basebackup failed; was the primary started with replicationSettings?\n${log.trim()}`,
      )
    }
    const settings = serverSettings({
      ...options,
      settings: { ...replicationSettings, ...options.settings },
    })
    const request = { binaries, folder, dataFolder, identity, settings }
    const started = await startOnFreePort(request)
    return runningCluster({
      request: { ...request, port: started.port },
      process: started.process,
      password,
      guardian,
    })
  } catch (error) {
    await guardian.dismiss()
    throw error
  }
}
