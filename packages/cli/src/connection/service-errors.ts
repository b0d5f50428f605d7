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
  /** Why, in two or three words: `connection refused`. */
  readonly reason: string

  constructor(url: string, cause: unknown) {
    const reason = reasonOf(cause)
    super(
      `No answer from ${url} (${reason}): is the service running there? octavo serve starts one; --url or OCTAVO_URL says where it is.`,
      exitCodes.failed,
      { cause },
    )
    this.reason = reason
  }
}

/** The address is that of a service, but with the wrong one of http and https. Waiting does not help. */
export class WrongScheme extends CliError {
  override readonly name = 'WrongScheme'

  constructor(url: string) {
    const [speaks, right] = url.startsWith('https:')
      ? (['HTTP and not HTTPS', url.replace(/^https:/, 'http:')] as const)
      : (['HTTPS and not HTTP', url.replace(/^http:/, 'https:')] as const)
    super(`The service speaks ${speaks} here: use ${right} instead of ${url}.`, exitCodes.failed)
  }
}

/** What the codes of Node mean; other failures have a message of their own. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  EHOSTUNREACH: 'no way to the host',
  ENETUNREACH: 'no way to the network',
}

const reasonOf = (error: unknown): string => {
  const innermost = innermostCause(error)
  if (!(innermost instanceof Error)) return String(innermost)
  return meanings[codeOf(innermost)] ?? (innermost.message || innermost.name)
}

/** fetch itself says only that it failed. */
export function innermostCause(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.cause instanceof Error) return innermostCause(error.cause)
  if (error instanceof AggregateError && error.errors.length > 0) return innermostCause(error.errors[0])
  return error
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
