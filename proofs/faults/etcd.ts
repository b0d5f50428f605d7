// One etcd, which is enough to show failover of PostgreSQL; a deployment has three.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerIdentity } from '@octavo/dev-database'
import { freePort } from '@octavo/dev-database'
import { endWithUs, killGroup } from '../harness/end-with-us.ts'

export interface Etcd {
  readonly port: number
  readonly stop: () => Promise<void>
}

export async function startEtcd(folder: string, identity: ServerIdentity): Promise<Etcd> {
  const [port, peerPort] = [await freePort(), await freePort()]
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const child = spawn('etcd', [], {
    ...identity,
    cwd: folder,
    env: {
      PATH: '/usr/bin:/bin',
      ETCD_NAME: 'etcd1',
      ETCD_DATA_DIR: join(folder, 'etcd'),
      ETCD_LISTEN_CLIENT_URLS: client,
      ETCD_ADVERTISE_CLIENT_URLS: client,
      ETCD_LISTEN_PEER_URLS: peer,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
      ETCD_INITIAL_CLUSTER: `etcd1=${peer}`,
      // Its data is deleted with its folder.
      ETCD_UNSAFE_NO_FSYNC: 'true',
    },
    stdio: 'ignore',
    detached: true,
  })
  endWithUs(child)
  child.on('error', () => {})
  const ended = once(child, 'exit').catch(() => undefined)
  for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
    const healthy = await fetch(`${client}/health`).catch(() => undefined)
    if (healthy?.ok) {
      return {
        port,
        stop: async () => {
          killGroup(child, 'SIGKILL')
          await ended
        },
      }
    }
    await sleep(50)
  }
  throw new Error('etcd did not start: is the package etcd-server installed?')
}
