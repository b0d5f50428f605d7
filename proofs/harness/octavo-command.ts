// The `octavo` command in its own process, so that it can be killed and its memory measured.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { testToken } from '../../packages/service/test/support/test-access.ts'

export interface OctavoEnd {
  /** Undefined if it was killed. */
  readonly code: number | undefined
  readonly written: string
  readonly noted: string
  /** The peak memory in megabytes. */
  readonly mostMemory: number
  readonly milliseconds: number
}

export interface OctavoProcess {
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<OctavoEnd>
}

const main = fileURLToPath(import.meta.resolve('../../packages/cli/src/main.ts'))

export function startCommand(
  words: readonly string[],
  { url, folder }: { readonly url: string; readonly folder: string },
): OctavoProcess {
  const startedAt = performance.now()
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=8', '--conditions=@octavo/source', main, ...words],
    {
      cwd: folder,
      env: { HOME: folder, OCTAVO_URL: url, OCTAVO_TOKEN: testToken },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let written = ''
  let noted = ''
  child.stdout.on('data', (data: Buffer) => (written += data.toString()))
  child.stderr.on('data', (data: Buffer) => (noted += data.toString()))
  let mostMemory = 0
  const timer = setInterval(() => (mostMemory = Math.max(mostMemory, mostMemoryOf(child.pid))), 100)
  return {
    kill: (signal) => child.kill(signal),
    ended: once(child, 'close').then(([code]: (number | null)[]) => {
      clearInterval(timer)
      return {
        code: code ?? undefined,
        written,
        noted,
        mostMemory,
        milliseconds: performance.now() - startedAt,
      }
    }),
  }
}

/** Runs it to its end, which must be successful. */
export async function runOctavo(...given: Parameters<typeof startCommand>): Promise<OctavoEnd> {
  const end = await startCommand(...given).ended
  if (end.code !== 0) throw new Error(`octavo ${given[0].join(' ')} ended with ${end.code}: ${end.noted}`)
  return end
}

/** The kernel records the peak; for a process that has just ended there is none. */
function mostMemoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
