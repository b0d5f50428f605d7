// The order for a process that sends load, and its report.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { BenchRequest } from '../harness/ask-json.ts'

export interface LoadStream {
  readonly name: string
  readonly requests: readonly BenchRequest[]
  readonly perSecond: number
  readonly connections: number
}

export interface LoadOrder {
  readonly url: string
  readonly seconds: number
  readonly streams: readonly LoadStream[]
}

/** In milliseconds, from when each request should have been sent. */
export interface Outcome {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly most: number
}

export interface StreamReport {
  readonly name: string
  readonly accepted: Outcome
  /** Refused with 429 or 503; any other status ends the load. */
  readonly refused: Outcome
  /** The p95 of all requests, where a refused one counts as never answered. */
  readonly p95: number
  /** The requests that should have been sent in the last second. */
  readonly lastSecond: { readonly accepted: number; readonly refused: number }
  /** From the first request to the last answer. */
  readonly seconds: number
}

export type LoadReport = readonly StreamReport[]

/**
 * Sends from a separate process: the load must share an event loop neither with the measuring process nor with the service.
 */
export async function sendLoad(order: LoadOrder): Promise<LoadReport> {
  const child = fork(new URL('./load-process.ts', import.meta.url), {
    execArgv: ['--conditions=@octavo/source'],
  })
  const ended = once(child, 'exit')
  const reported = once(child, 'message')
  child.send(order)
  const outcome = await Promise.race([reported, ended.then(() => undefined)])
  if (outcome === undefined) throw new Error('The load ended without a report; see the error above.')
  await ended
  const [report] = outcome as [LoadReport]
  return report
}

export async function sendStream(
  url: string,
  seconds: number,
  stream: Omit<LoadStream, 'name'>,
): Promise<StreamReport> {
  const [report] = await sendLoad({ url, seconds, streams: [{ name: 'all', ...stream }] })
  if (report === undefined) throw new Error('There is no report.')
  return report
}

export const describeOutcome = ({ count, p50, p95, p99, most }: Outcome): string =>
  `${count} (p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, p99 ${p99.toFixed(0)}, at most ${most.toFixed(0)} ms)`
