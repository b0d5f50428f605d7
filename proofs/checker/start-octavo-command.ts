// The built command as a process, which a check can signal and stop.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { builtProgram } from '../../packages/octavo/bundle/built-program.ts'

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

export interface Ended {
  /** Null if a signal has ended it. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export function startOctavoCommand(
  words: readonly string[],
  { folder, environment }: { readonly folder: string; readonly environment: NodeJS.ProcessEnv },
): Running {
  const child = spawn(process.execPath, [builtProgram('octavo'), ...words], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()))
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, out, err }))
  return { child, ended }
}
