// The order for a process that holds connections open, and its report.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { BenchRequest } from '../harness/ask-json.ts'

export interface HoldOrder {
  readonly url: string
  /** Connections that have had an answer and are kept open. */
  readonly idle: number
  /** Connections whose client reads its page piece by piece. */
  readonly slow: readonly SlowReaders[]
}

export interface SlowReaders {
  readonly request: BenchRequest
  readonly count: number
  /** How many times a client tries a request that it may retry. */
  readonly tries: number
}

export interface HoldReport {
  readonly idle: number
  /** For each group, how many clients are reading a page, and how many were refused on every try. */
  readonly slow: readonly { readonly reading: number; readonly refused: number }[]
}

/** Holds the connections, from a separate process, while the work runs. */
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
