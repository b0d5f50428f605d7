// A request that is refused because of overload is not a failure to investigate one by one. Its error carries the reason, so
// that it is counted by reason and not logged as an error.
import { ServiceError } from '../../base/errors/service-error.ts'

/** What caused the refusal. */
export type ShedReason = 'queue' | 'displaced' | 'waited' | 'memory' | 'eventLoop' | 'stopping'

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
