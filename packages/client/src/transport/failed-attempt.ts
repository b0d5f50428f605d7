import type { ErrorFacts, OctavoError as AnyError } from '../errors/octavo-error.ts'
import { OctavoError } from '../errors/octavo-error.ts'
import type { ErrorName } from '../errors/error-parameters.ts'

/** One attempt that gave no answer to use. Never seen outside: the request is sent again, or `error` is thrown. */
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

/** What a network or a proxy did can be over with the next attempt. */
export const unlucky = <Name extends ErrorName>(facts: ErrorFacts<Name>): FailedAttempt =>
  new FailedAttempt(new OctavoError(facts), { retryable: true })
