// CPU seconds and memory from /proc. It exists only on Linux; elsewhere the figures are zero.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from '@octavo/dev-database'

const ticksPerSecond = 100

interface ProcessTimes {
  readonly parent: number
  readonly own: number
  /** The times of children that have ended and were waited for. */
  readonly children: number
}

function timesOf(pid: number | string): ProcessTimes | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name in parentheses may contain spaces; the fields after it do not.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const field = (number: number) => fields[number - 3] ?? 0
  return { parent: field(4), own: field(14) + field(15), children: field(16) + field(17) }
}

/** The CPU seconds of processes that still exist at the next measurement. */
export const cpuSecondsOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (timesOf(pid)?.own ?? 0), 0) / ticksPerSecond

/** The CPU seconds of the processes that this one has started and that have ended. */
export const cpuSecondsOfEnded = (): number => (timesOf(process.pid)?.children ?? 0) / ticksPerSecond

/** The CPU seconds of the whole server: backends that have ended count too, through their parent process. */
export function cpuSecondsOfCluster({ dataFolder }: Cluster): number {
  const [first] = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
  const postmaster = Number(first)
  const times = timesOf(postmaster)
  const backends = (existsSync('/proc') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .map(timesOf)
    .filter((each) => each?.parent === postmaster)
  const ticks = backends.reduce(
    (sum, each) => sum + (each?.own ?? 0),
    (times?.own ?? 0) + (times?.children ?? 0),
  )
  return ticks / ticksPerSecond
}

/** The resident memory of a process now, in megabytes. */
export function residentMegabytes(pid: number): number {
  const file = `/proc/${pid}/status`
  const status = existsSync(file) ? readFileSync(file, 'utf8') : 'VmRSS: 0 kB'
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}
