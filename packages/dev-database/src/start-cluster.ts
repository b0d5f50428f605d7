import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { childProcesses } from './child-processes.ts'
import type { Cluster } from './cluster.ts'
import { createDataFolder } from './create-data-folder.ts'
import { findBinaries } from './find-binaries.ts'
import { freePort, loopback } from './free-port.ts'
import type { GuardedProcess } from './guarded-process.ts'
import { startGuardian, type Guardian } from './guardian.ts'
import { serverIdentity } from './server-identity.ts'
import { serverSettings, type ClusterOptions } from './server-settings.ts'
import { startServer, type ServerRequest } from './start-server.ts'

const user = 'octavo'
const startAttempts = 20

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const [binaries, identity] = await Promise.all([findBinaries(), serverIdentity()])
  const guardian = await startGuardian(identity)
  try {
    const password = options.password ?? randomBytes(18).toString('base64url')
    const { folder } = guardian
    const dataFolder = await createDataFolder({ binaries, folder, identity, user, password })
    const settings = serverSettings(options)
    const request = { binaries, folder, dataFolder, identity, settings }
    const { port, process } = await startOnFreePort(request)
    return runningCluster({ request: { ...request, port }, process, password, guardian })
  } catch (error) {
    await guardian.dismiss()
    throw error
  }
}

type Running = {
  readonly request: ServerRequest
  readonly process: GuardedProcess
  readonly password: string
  readonly guardian: Guardian
}

export function runningCluster({ request, process: first, password, guardian }: Running): Cluster {
  const { port, folder, dataFolder, binaries } = request
  const databaseUrl = (name: string) =>
    `postgres://${user}:${password}@${loopback}:${port}/${encodeURIComponent(name)}`
  let server: GuardedProcess | undefined = first
  let stopped: Promise<void> | undefined

  const ending = async (end: (pid: number) => Promise<void>) => {
    if (server === undefined) throw new Error('The throwaway cluster is not running.')
    const { pid, ended } = server
    server = undefined
    await end(pid)
    await ended()
  }
  const start = async () => {
    if (server !== undefined) throw new Error('The throwaway cluster is running already.')
    server = await startOnSamePort(request)
  }
  return {
    url: databaseUrl('postgres'),
    host: loopback,
    port,
    user,
    password,
    socketFolder: folder,
    dataFolder,
    binFolder: binaries.folder,
    databaseUrl,
    stop: async () => (stopped ??= guardian.dismiss()),
    kill: async () => ending(killWithChildren),
    start,
    restart: async (shutdown = 'fast') => {
      await ending(async (pid) => void process.kill(pid, shutdown === 'fast' ? 'SIGINT' : 'SIGQUIT'))
      await start()
    },
  }
}

// Backends have sessions of their own, so killing the process group would miss them. Stopping the postmaster first keeps it
// from starting another backend while we list them.
async function killWithChildren(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  for (const each of [...(await childProcesses(pid)), pid]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // The child ended by itself between the listing and the signal.
    }
  }
}

type UnplacedRequest = Omit<ServerRequest, 'port'>

export async function startOnFreePort(
  request: UnplacedRequest,
): Promise<{ port: number; process: GuardedProcess }> {
  for (let attempt = 0; attempt < startAttempts; attempt += 1) {
    const port = await freePort()
    const started = await startServer({ ...request, port })
    if (started.kind === 'ready') return { port, process: started.process }
  }
  throw new Error(`No free port on ${loopback} was found for PostgreSQL.`)
}

// Killed backends take a moment to release the shared memory and the port.
async function startOnSamePort(request: ServerRequest): Promise<GuardedProcess> {
  for (let attempt = 0; attempt < startAttempts; attempt += 1) {
    const started = await startServer(request)
    if (started.kind === 'ready') return started.process
    await sleep(100)
  }
  throw new Error(`PostgreSQL could not start again on port ${request.port}.`)
}
