// A server in its own process, to be stopped, killed and started again. It ends with ours however ours ends.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchRequest } from './ask-json.ts'

export type Environment = Readonly<Record<string, string>>

export interface ServerOptions {
  readonly file: string
  readonly port: number
  readonly nodeOptions?: readonly string[]
  /** Asked at every start, so that options can change between starts. */
  readonly environment: () => Environment
  /** Answers 200 once the server is ready. */
  readonly ready: BenchRequest
  /** Each line of its log, which is discarded otherwise: reading it costs this machine something. */
  readonly onLine?: (line: string) => void
}

export interface ServerProcess {
  readonly url: string
  /** Of the last start. */
  readonly pid: number
  readonly isRunning: () => boolean
  /** Current and peak memory in megabytes. */
  readonly memory: () => { readonly now: number; readonly most: number }
  /** From the last start of the process to its first ready answer. */
  readonly readyAfterMilliseconds: number
  /** Resolves once it is ready. */
  readonly start: () => Promise<void>
  /** Stops it as an operator does; resolves with the exit code. */
  readonly stop: () => Promise<number | null>
  readonly kill: () => Promise<void>
}

const readyWithinMilliseconds = 120_000

export function serverProcess(options: ServerOptions): ServerProcess {
  const url = `http://127.0.0.1:${options.port}`
  let child: ChildProcess | undefined
  let readyAfterMilliseconds = 0
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child === undefined) return null
    if (isRunning()) {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    }
    return child.exitCode
  }
  return {
    url,
    get pid() {
      return child?.pid ?? 0
    },
    get readyAfterMilliseconds() {
      return readyAfterMilliseconds
    },
    isRunning,
    memory: () => ({ now: megabytes(child, 'VmRSS'), most: megabytes(child, 'VmHWM') }),
    start: async () => {
      const startedAt = performance.now()
      child = spawnServer(options)
      while (!(await answers(url, options.ready))) {
        if (!isRunning() || performance.now() - startedAt > readyWithinMilliseconds) {
          await end('SIGKILL')
          throw new Error(`${options.file} did not get ready; what it wrote to its standard error says why.`)
        }
        await sleep(5)
      }
      readyAfterMilliseconds = performance.now() - startedAt
    },
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  }
}

function spawnServer({ file, nodeOptions = [], environment, onLine }: ServerOptions): ChildProcess {
  const child = spawn(
    process.execPath,
    [...nodeOptions, `--import=${import.meta.resolve('./end-with-parent.ts')}`, file],
    { env: environment(), stdio: ['ignore', onLine === undefined ? 'ignore' : 'pipe', 'inherit', 'ipc'] },
  )
  if (onLine !== undefined && child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', onLine)
  }
  return child
}

function megabytes(child: ChildProcess | undefined, field: string): number {
  const status = readFileSync(`/proc/${child?.pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024)
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
