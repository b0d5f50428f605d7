import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './find-binaries.ts'
import { loopback } from './free-port.ts'
import { startGuarded, type GuardedProcess } from './guarded-process.ts'
import type { ServerIdentity } from './server-identity.ts'
import type { ServerSettings } from './server-settings.ts'

export type ServerRequest = {
  readonly binaries: Binaries
  readonly folder: string
  readonly dataFolder: string
  readonly identity: ServerIdentity
  readonly settings: ServerSettings
  readonly port: number
}

export type StartedServer =
  | { readonly kind: 'ready'; readonly process: GuardedProcess }
  | { readonly kind: 'port-taken' }
  | { readonly kind: 'memory-in-use' }

const readyWithinMilliseconds = 120_000
const pollMilliseconds = 15

/** Starts postgres once and waits until it accepts connections. */
export async function startServer(request: ServerRequest): Promise<StartedServer> {
  const { binaries, folder, dataFolder, identity, settings, port } = request
  const all: ServerSettings = {
    ...settings,
    listen_addresses: loopback,
    port: String(port),
    unix_socket_directories: folder,
    // Appears in the title of every process of the server; the guardian recognises its processes by it.
    cluster_name: basename(folder),
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [join(binaries.folder, 'postgres'), '-D', dataFolder, ...flags]
  const logBefore = (await readLog(folder)).length
  const server = await startGuarded({ folder, identity, role: 'postgres', command })
  const deadline = Date.now() + readyWithinMilliseconds
  while (Date.now() < deadline && !server.hasEnded()) {
    if (await isReady(dataFolder, server.pid)) return { kind: 'ready', process: server }
    await sleep(pollMilliseconds)
  }
  const log = (await readLog(folder)).slice(logBefore)
  if (server.hasEnded()) {
    if (log.includes('could not create any TCP/IP sockets')) return { kind: 'port-taken' }
    if (log.includes('pre-existing shared memory block')) return { kind: 'memory-in-use' }
  }
  throw new Error(`PostgreSQL did not start:\n${log.trim()}`)
}

// As pg_ctl does: line 8 changes to "ready" after recovery. A crash leaves the file of the earlier process, hence the pid.
async function isReady(dataFolder: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
}

const readLog = async (folder: string): Promise<string> =>
  readFile(join(folder, 'postgres.log'), 'utf8').catch(() => '')
