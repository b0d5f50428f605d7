import type { ErrorFacts, OctavoError as AnyError } from '../errors/octavo-error.ts'
import { OctavoError } from '../errors/octavo-error.ts'
import type { ErrorName } from '../errors/error-parameters.ts'

/** An attempt without a usable answer. Never visible to users: the request is retried, or `error` is thrown. */
export class FailedAttempt extends Error {
  readonly error: AnyError
  readonly retryable: boolean
  readonly afterSeconds: number | undefined

  constructor(
    error: AnyError,
    { retryable, afterSeconds }: { retryable: boolean; afterSeconds?: number | undefined },
  ) {
    super(error.message)
    this.error = error
    this.retryable = retryable
    this.afterSeconds = afterSeconds
  }
}

/** A failure caused by a network or a proxy; the next attempt may succeed. */
export const unlucky = <Name extends ErrorName>(facts: ErrorFacts<Name>): FailedAttempt =>
  new FailedAttempt(new OctavoError(facts), { retryable: true })
