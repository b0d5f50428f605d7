// Explains a failure of the database to a caller. A failure that is not listed here is a fault of the service.
import { ServiceError } from '../base/errors/service-error.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import { hasState, isPassing } from './sqlstate.ts'

const retryAfterSeconds = 2
/** People have to make room on the disk, so this takes longer than other retries. */
const retryWithRoomAfterSeconds = 30

/** Node's codes for network errors. */
const unreachable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  // A Unix socket on which no server listens.
  'ENOENT',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
])

/** The driver gives these errors no code. */
const lost =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end on the pool)/

export function explainDatabaseFailure(error: unknown): ServiceError | undefined {
  const cause = { cause: error }
  if (error instanceof OutcomeUnknown) return new ServiceError('OutcomeUnknown', { retryAfterSeconds }, cause)
  if (hasState(error, 'queryCanceled')) return new ServiceError('ScanTimedOut', {}, cause)
  if (hasState(error, 'diskFull')) {
    return new ServiceError('StorageFull', { retryAfterSeconds: retryWithRoomAfterSeconds }, cause)
  }
  if (!isPassing(error) && !isLost(error) && !isNotMigrated(error)) return undefined
  return new ServiceError('Overloaded', { retryAfterSeconds }, cause)
}

/** An instance that is newer than the database serves what it can until migrate has run. */
const isNotMigrated = (error: unknown): boolean =>
  error instanceof Error && hasState(error, 'undefinedTable') && error.message.includes('"octavo.')

const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && unreachable.has(error.code) && !isOfFile(error)) || lost.test(error.message))

/** ENOENT for a certificate file, not for a socket. */
const isOfFile = (error: Error): boolean => 'syscall' in error && error.syscall === 'open'
