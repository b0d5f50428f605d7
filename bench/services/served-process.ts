// A service in its own process, which ends with ours however ours ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchRequest } from '../contestants/contestant.ts'

export interface ServedProcess {
  readonly url: string
  readonly pid: number
  /** From the start of the process to its first ready answer. */
  readonly readyAfterMilliseconds: number
  readonly stop: () => Promise<void>
}

export interface ProcessOptions {
  readonly file: string
  readonly port: number
  readonly nodeOptions?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Answers 200 once the service is ready. */
  readonly ready: BenchRequest
}

const mostSecondsToStart = 60

export async function startServedProcess(options: ProcessOptions): Promise<ServedProcess> {
  const startedAt = performance.now()
  const child = spawn(
    process.execPath,
    [
      ...(options.nodeOptions ?? []),
      `--import=${import.meta.resolve('../../tools/dev/end-with-parent.ts')}`,
      options.file,
    ],
    // Logs are discarded: they are written, as in production, but reading them costs this machine nothing.
    {
      env: { NODE_ENV: 'production', ...options.environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${options.port}`
  const { pid } = child
  while (!(await answers(url, options.ready))) {
    const seconds = (performance.now() - startedAt) / 1000
    if (pid === undefined || child.exitCode !== null || seconds > mostSecondsToStart) {
      child.kill('SIGKILL')
      throw new Error(`${options.file} did not get ready; what it wrote to its standard error says why.`)
    }
    await sleep(5)
  }
  return {
    url,
    pid: pid ?? 0,
    readyAfterMilliseconds: performance.now() - startedAt,
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}

const answers = async (url: string, { path, ...init }: BenchRequest): Promise<boolean> => {
  try {
    const response = await fetch(url + path, init)
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
