import { CliError } from '../base/cli-error.ts'
import { exitCodes } from '../base/exit-codes.ts'

export interface Refusal {
  readonly status: number
  /** A name from docs/reference/errors.md; empty if the answer was not from Octavo. */
  readonly errorName: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly message: string
  /** The `Retry-After` of the answer. */
  readonly retryAfterSeconds?: number
}

/** The service answered with an error. */
export class ServiceRefused extends CliError {
  override readonly name = 'ServiceRefused'
  readonly status: number
  readonly errorName: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined

  constructor({ message, status, errorName, parameters, retryAfterSeconds }: Refusal) {
    super(message, exitCodes.failed)
    this.status = status
    this.errorName = errorName
    this.parameters = parameters
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The end of a sentence about a name that does not exist: `; did you mean flight?` if the service knows one like it. */
export function suggestionIn({ parameters: { didYouMean } }: ServiceRefused): string {
  return Array.isArray(didYouMean) && didYouMean.length > 0
    ? `; did you mean ${didYouMean.join(' or ')}?`
    : '.'
}

/** There was no answer, or it was truncated. */
export class ServiceUnreachable extends CliError {
  override readonly name = 'ServiceUnreachable'

  constructor(url: string, cause: unknown) {
    super(`No answer from ${url} (${reasonOf(cause)}): is the service running there?`, exitCodes.failed, {
      cause,
    })
  }
}

/** The message of the innermost cause: fetch itself says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error.message || error.name
}
