// One PostgreSQL under Patroni, with the configuration of deploy/high-availability; it can be lost as a machine is lost.
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ServerIdentity } from '@octavo/dev-database'
import { freePort } from '@octavo/dev-database'
import { endWithUs, killGroup } from '../harness/end-with-us.ts'

export interface HaNode {
  readonly port: number
  readonly patroniPort: number
  readonly start: () => void
  readonly isRunning: () => boolean
  /** Kills Patroni and every process of PostgreSQL at once. */
  readonly kill: () => Promise<void>
  /** Kills only PostgreSQL; Patroni notices it. */
  readonly killPostgres: () => void
  /** Whether it holds the leader key, even while PostgreSQL restarts, and PostgreSQL accepts connections. */
  readonly isPrimary: () => Promise<boolean>
}

export interface HaNodeSettings {
  readonly name: string
  readonly folder: string
  readonly binFolder: string
  readonly etcdPort: number
  readonly identity: ServerIdentity
  readonly passwords: { readonly superuser: string; readonly replication: string }
}

const execute = promisify(execFile)

const configuration = fileURLToPath(import.meta.resolve('../../deploy/high-availability/patroni.yml'))

// PostgreSQL has its own session, so that it outlives Patroni; it must not outlive this process.
const dataFolders = new Set<string>()
process.once('exit', () => {
  for (const folder of dataFolders) killWithChildren(postmasterOf(folder))
})

export async function haNode(settings: HaNodeSettings): Promise<HaNode> {
  const { name, folder, binFolder, etcdPort, identity, passwords } = settings
  const [port, patroniPort] = [await freePort(), await freePort()]
  const dataFolder = join(folder, name)
  let patroni: ChildProcess | undefined
  const isRunning = () => patroni !== undefined && patroni.exitCode === null && patroni.signalCode === null
  // The user of PostgreSQL may not be able to read our checkout.
  const ownConfiguration = join(folder, `${name}.yml`)
  copyFileSync(configuration, ownConfiguration)

  const killPostgres = () => killWithChildren(postmasterOf(dataFolder))
  dataFolders.add(dataFolder)
  const holdsLeaderKey = () =>
    fetch(`http://127.0.0.1:${patroniPort}/primary`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  const acceptsConnections = () =>
    execute(join(binFolder, 'pg_isready'), ['--host=127.0.0.1', `--port=${port}`, '--quiet']).then(
      () => true,
      () => false,
    )
  return {
    port,
    patroniPort,
    isRunning,
    start: () => {
      const log = openSync(join(folder, `${name}.log`), 'a')
      patroni = spawn('patroni', [ownConfiguration], {
        ...identity,
        cwd: folder,
        env: {
          PATH: `${binFolder}:/usr/bin:/bin`,
          PATRONI_NAME: name,
          PATRONI_RESTAPI_LISTEN: `127.0.0.1:${patroniPort}`,
          PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${patroniPort}`,
          PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
          PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
          PATRONI_POSTGRESQL_DATA_DIR: dataFolder,
          PATRONI_POSTGRESQL_BIN_DIR: binFolder,
          PATRONI_POSTGRESQL_PGPASS: join(folder, `${name}.pgpass`),
          PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
          PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
          PATRONI_REPLICATION_PASSWORD: passwords.replication,
        },
        stdio: ['ignore', log, log],
        detached: true,
      })
      closeSync(log)
      endWithUs(patroni)
      patroni.on('error', () => {})
    },
    kill: async () => {
      const ending = patroni
      const running = isRunning()
      patroni = undefined
      if (ending !== undefined && running) {
        const ended = once(ending, 'exit')
        killGroup(ending, 'SIGKILL')
        killPostgres()
        await ended
      }
      killPostgres()
    },
    killPostgres,
    isPrimary: async () => (await holdsLeaderKey()) && (await acceptsConnections()),
  }
}

function postmasterOf(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]) || undefined
  } catch {
    return undefined
  }
}

/** Stopped first, so that it starts no other child while we list them. */
function killWithChildren(pid: number | undefined): void {
  if (pid === undefined || !isPostgres(pid)) return
  signal(pid, 'SIGSTOP')
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout
  for (const child of children.split('\n').map(Number)) if (child > 0) signal(child, 'SIGKILL')
  signal(pid, 'SIGKILL')
}

/** The file remains after a kill, and its pid may belong to another process by now. */
const isPostgres = (pid: number): boolean =>
  spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim() === 'postgres'

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has already ended.
  }
}
