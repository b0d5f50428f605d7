// A request that is refused because there is too much to do is no failure of ours to be looked into one by one: it carries
// why, so that it is counted by reason and not logged as an error.
import { ServiceError } from '../../base/errors/service-error.ts'

/** What there was too much of. */
export type ShedReason = 'queue' | 'displaced' | 'waited' | 'memory' | 'eventLoop'

interface Shed {
  readonly kind: 'shed'
  readonly reason: ShedReason
}

export const overloaded = (reason: ShedReason, retryAfterSeconds: number): ServiceError =>
  new ServiceError('Overloaded', { retryAfterSeconds }, { cause: { kind: 'shed', reason } satisfies Shed })

export function shedReasonOf(cause: unknown): ShedReason | undefined {
  const isShed = typeof cause === 'object' && cause !== null && 'kind' in cause && cause.kind === 'shed'
  return isShed ? (cause as Shed).reason : undefined
}
