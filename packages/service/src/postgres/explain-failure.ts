// What a failure of the database means to a caller. Anything that is not named here is a fault of ours.
import { ServiceError } from '../errors/service-error.ts'
import { hasState, isPassing } from './sqlstate.ts'

const retryAfterSeconds = 2

/** Of the network, as Node names them. */
const unreachable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The driver gives these no code. */
const lost =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end on the pool)/

export function explainDatabaseFailure(error: unknown): ServiceError | undefined {
  if (hasState(error, 'queryCanceled')) return new ServiceError('ScanTimedOut', {}, { cause: error })
  if (!isPassing(error) && !isLost(error)) return undefined
  return new ServiceError('Overloaded', { retryAfterSeconds }, { cause: error })
}

const isLost = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && unreachable.has(error.code)) || lost.test(error.message))
