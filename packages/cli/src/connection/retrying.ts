import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceRefused, ServiceUnreachable } from './service-errors.ts'

export interface RetryTimes {
  /** Milliseconds of any monotonic clock. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random?: () => number
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export interface Retries {
  /** After this time the last failure is thrown. */
  readonly seconds: number
  readonly signal: AbortSignal
  readonly times: RetryTimes
  /** Called before each pause. */
  readonly onPause?: OnPause
}

export type OnPause = (because: unknown, millisecondsLeft: number) => void

const firstPauseMs = 200
const longestPauseMs = 10_000

/** Retries failures that may be temporary: throttled, overloaded, or no answer. */
export async function retrying<Answer>(retries: Retries, attempt: () => Promise<Answer>): Promise<Answer> {
  const { now, random = Math.random, wait = pause } = retries.times
  const deadline = now() + retries.seconds * 1_000
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!mayPass(error)) throw error
      const pauseMs = pauseAfter(error, failures, random())
      if (now() + pauseMs > deadline) throw error
      retries.onPause?.(error, deadline - now())
      await wait(pauseMs, retries.signal)
    }
  }
}

/** Whether the same request may succeed a little later. */
const mayPass = (error: unknown): boolean =>
  error instanceof ServiceUnreachable ||
  (error instanceof ServiceRefused && [408, 429, 503].includes(error.status))

/**
 * The delay that the service asked for, else exponential backoff; with jitter, so that many clients do not retry together.
 */
function pauseAfter(error: unknown, failures: number, random: number): number {
  const asked = error instanceof ServiceRefused ? error.retryAfterSeconds : undefined
  if (asked !== undefined) return asked * 1_000 + random * firstPauseMs
  return Math.min(longestPauseMs, firstPauseMs * 2 ** failures) * (0.5 + random / 2)
}

const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await sleep(milliseconds, undefined, { signal })
}
