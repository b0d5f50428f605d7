import type { Measured, Served } from './measure-flood.ts'

export const mostMemory = 512
const mostTimesSlower = 10
/** Where the other caller's own work is as expensive as that, both cores of a small machine are busy: within a second is soon. */
const soonMs = 1_000

export interface Judged extends Measured {
  readonly problems: readonly string[]
}

export function judge(measured: Measured): Judged {
  const { quiet, flooded, memory } = measured
  const slowest = at(flooded, 0.99)
  const times = slowest / at(quiet, 0.99)
  return {
    ...measured,
    problems: [
      ...(quiet.refused + flooded.refused > 0 ? [`${quiet.refused + flooded.refused} refused`] : []),
      ...(times > mostTimesSlower && slowest > soonMs ? [`${times.toFixed(1)} times slower`] : []),
      ...(memory > mostMemory ? [`${memory} MiB`] : []),
    ],
  }
}

export function judgedAs(name: string, { quiet, flooded, memory, problems }: Judged): string {
  const served = (one: Served) => `p50 ${text(at(one, 0.5))} p99 ${text(at(one, 0.99))}`
  const pages = String(flooded.milliseconds.length).padStart(4)
  const times = (at(flooded, 0.99) / at(quiet, 0.99)).toFixed(1).padStart(5)
  const verdict = problems.length === 0 ? 'kept' : `BROKEN: ${problems.join(', ')}`
  return `${name.padEnd(22)} quiet ${served(quiet)}  flooded ${served(flooded)} of ${pages}  ${times} times  ${memory} MiB  ${verdict}`
}

const text = (milliseconds: number): string => milliseconds.toFixed(0).padStart(5)

const at = ({ milliseconds }: Served, share: number): number =>
  milliseconds.toSorted((a, b) => a - b)[Math.floor(milliseconds.length * share)] ?? Infinity
