import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../base/errors/service-error.ts'
import { shedReasonOf } from './shed.ts'

export interface Patience {
  readonly milliseconds: number
  /** Aborts when nobody waits any more, or the time is up. */
  readonly signal: AbortSignal
  /** Aborts when this instance stops: somewhere else there may be room. */
  readonly stopping: AbortSignal
}

/**
 * For work that has begun and cannot be refused like a request: if there is too much to do, it comes back after the time in the refusal,
 * as a client would. It gives up, with the refusal, if its patience would be over by then.
 */
export async function whenThereIsRoom<T>(
  { milliseconds, signal, stopping }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  const since = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (refusal) {
      const waitMs = waitAfter(refusal)
      if (waitMs === undefined || performance.now() - since + waitMs > milliseconds) throw refusal
      await sleep(waitMs, undefined, { signal: AbortSignal.any([signal, stopping]) }).catch(() => {})
      if (stopping.aborted) throw refusal
      signal.throwIfAborted()
    }
  }
}

/** Undefined if it is not the admission that has refused. */
function waitAfter(error: unknown): number | undefined {
  if (!(error instanceof ServiceError) || shedReasonOf(error.cause) === undefined) return undefined
  const { parameters }: ServiceError = error
  return 'retryAfterSeconds' in parameters ? parameters.retryAfterSeconds * 1_000 : undefined
}
