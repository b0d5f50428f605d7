// The command in a separate process, which a test can kill.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { builtProgram } from '../../../octavo/bundle/built-program.ts'
import type { Environment } from '../../src/base/command-context.ts'

export interface CommandProcess {
  readonly out: () => string
  readonly err: () => string
  /** Sends the signal, and resolves with the exit code once the process has ended; null if the signal ended it. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
  /** The exit code. */
  readonly ended: Promise<number | null>
}

export function startCommand(
  { environment, folder }: { readonly environment: Environment; readonly folder: string },
  words: readonly string[],
): CommandProcess {
  const child = spawn(process.execPath, [builtProgram('octavo'), ...words], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()))
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  return {
    out: () => out,
    err: () => err,
    ended,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}
