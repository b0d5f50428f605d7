// What a process that holds connections open is told, and what it tells.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { BenchRequest } from '../../bench/contestants/contestant.ts'

export interface HoldOrder {
  readonly url: string
  /** Connections that have had an answer and are kept. */
  readonly idle: number
  /** Connections whose client takes its page piece by piece. */
  readonly slow: readonly SlowReaders[]
}

export interface SlowReaders {
  readonly request: BenchRequest
  readonly count: number
  /** How often one asks that is told to come again. */
  readonly tries: number
}

export interface HoldReport {
  readonly idle: number
  /** For each group, how many have a page that they are taking, and how many were refused each time they asked. */
  readonly slow: readonly { readonly reading: number; readonly refused: number }[]
}

/** Holds the connections, from a process of its own, while the work is done. */
export async function whileHolding<T>(order: HoldOrder, work: (held: HoldReport) => Promise<T>): Promise<T> {
  const child = fork(new URL('./hold-process.ts', import.meta.url), {
    execArgv: ['--conditions=@octavo/source'],
  })
  const ended = once(child, 'exit')
  try {
    const reported = once(child, 'message')
    child.send(order)
    const outcome = await Promise.race([reported, ended.then(() => undefined)])
    if (outcome === undefined) throw new Error('The connections could not be held; see the error above.')
    const [report] = outcome as [HoldReport]
    return await work(report)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
