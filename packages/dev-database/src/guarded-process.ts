import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { environmentForServer } from './environment.ts'
import { exitOf, type Exit } from './exit-of.ts'
import type { ServerIdentity } from './server-identity.ts'

export type GuardedProcess = {
  readonly pid: number
  /** Resolves when the process has ended, and keeps our process alive until then. */
  readonly ended: () => Promise<Exit>
  readonly hasEnded: () => boolean
}

export type GuardedProgram = {
  readonly folder: string
  readonly identity: ServerIdentity
  readonly role: 'initdb' | 'basebackup' | 'postgres'
  readonly command: readonly string[]
  readonly input?: string
}

// The entry's name contains the pid, so that it appears atomically; guardian.sh says what the entry promises.
const announce = 'mkdir "$1/run/$2.$$" || exit 1; exec >>"$1/$2.log" 2>&1; shift 2; exec "$@"'

/** Starts a program that the folder's guardian will find; its output goes to `<role>.log` in the folder. */
export async function startGuarded(program: GuardedProgram): Promise<GuardedProcess> {
  const { folder, identity, role, command, input } = program
  const child = spawn('/bin/sh', ['-c', announce, 'octavo-pg', folder, role, ...command], {
    ...identity,
    cwd: folder,
    env: environmentForServer(),
    // Its own process group, which the guardian can kill as a whole and which Ctrl-C does not reach.
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'ignore'],
  })
  let ended = false
  const exit = exitOf(child).then(async (result) => {
    ended = true
    // The pid may soon belong to another process.
    await rm(join(folder, 'run', `${role}.${child.pid}`), { recursive: true, force: true })
    return result
  })
  // Callers that await the exit handle a rejection; without this it would end our process while no caller awaits it yet.
  exit.catch(() => {})
  if (child.pid === undefined) throw new Error(`/bin/sh could not be started in ${folder}.`)
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  child.unref()
  return {
    pid: child.pid,
    ended: async () => {
      child.ref()
      return exit
    },
    hasEnded: () => ended,
  }
}
