// What the service's refusals mean for a copy, whether the client or the connection of the command received them.
import { OctavoError } from '@octavo/client'
import { CopyBusy } from './copy-database.ts'
import { ServiceRefused, ServiceUnreachable } from '../connection/service-errors.ts'

interface Refusal {
  readonly errorName: string
  readonly status: number | undefined
  readonly parameters: object
}

function refusalIn(error: unknown): Refusal | undefined {
  return error instanceof ServiceRefused || error instanceof OctavoError ? error : undefined
}

/** The state that is being read is no longer kept. */
export function isGone(error: unknown): boolean {
  const { errorName = '' } = refusalIn(error) ?? {}
  return ['ConsistentSnapshotError', 'InvalidPageToken', 'InvalidSnapshotToken'].includes(errorName)
}

export interface Expired {
  readonly objectType: string | undefined
  readonly because: string
}

const reasons: Readonly<Record<string, string>> = {
  tooOld: 'the service no longer knows what has changed since then',
  historyChanged: 'the service was restored from a backup or has failed over, and its history is another one',
  accessChanged: 'you may read other objects than when the copy was made',
}

/** Why the changes since the state of the copy cannot be known; undefined if it is another error. */
export function expiredBy(error: unknown): Expired | undefined {
  const { errorName, parameters = {} } = refusalIn(error) ?? {}
  if (errorName === 'InvalidSnapshotToken') {
    return {
      objectType: undefined,
      because: 'the service does not know that state: it is another one, or has other keys',
    }
  }
  if (errorName !== 'ChangesExpired') return undefined
  const { objectType, reason } = parameters as { readonly objectType?: string; readonly reason?: string }
  return { objectType, because: reasons[reason ?? ''] ?? 'the changes since then are not known' }
}

const passing: ReadonlySet<string> = new Set([
  'NetworkFailure',
  'RequestTimedOut',
  'UnreadableAnswer',
  'MisdirectedAnswer',
  'Overloaded',
  'RateLimited',
  // The state that was to be reached is gone; the next one is not.
  'ConsistentSnapshotError',
])

/** Whether the same may work a little later: the service or the database of the copy is restarted, or the network is cut. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ServiceUnreachable) return true
  const refusal = refusalIn(error)
  if (refusal !== undefined) return passing.has(refusal.errorName) || (refusal.status ?? 0) >= 500
  if (!(error instanceof Error)) return false
  const isBusyFile = 'errcode' in error && error.errcode === sqliteBusy
  if (isBusyFile || error instanceof CopyBusy) return true
  return error.name === 'SourceFailure' && 'kind' in error && error.kind === 'other'
}

const sqliteBusy = 5
