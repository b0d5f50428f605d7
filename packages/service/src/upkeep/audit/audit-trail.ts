// Writes who read what to octavo.audit, in the background: no request waits for it, and none fails with it.
import type { Observation, Observe } from '../../observe/observation.ts'
import type { Reader } from '../../postgres/database.ts'
import { auditRecord, isWrittenLater } from '../../audit/audit-record.ts'
import { columnTime } from '../../base/value/column-time.ts'
import { insertAudit, type AuditRow } from '../../audit/insert-audit.ts'

export interface AuditTrail {
  /** Queues the observation if it is one that the audit records. */
  readonly record: (observation: Observation) => void
  /** Writes the queued records, and reports how many could not be written. */
  readonly stop: () => Promise<void>
}

export interface AuditSources {
  readonly database: Reader
  readonly now: () => Date
  readonly newId: () => string
  readonly observe: Observe
}

export interface AuditPace {
  readonly everyMilliseconds: number
  /** How many records may be queued while the database is slow or unavailable. */
  readonly mostWaiting: number
}

export const auditPace: AuditPace = { everyMilliseconds: 1_000, mostWaiting: 20_000 }

const rowsAtOnce = 1_000

export function auditTrail(sources: AuditSources, { everyMilliseconds, mostWaiting }: AuditPace): AuditTrail {
  const { database, now, newId, observe } = sources
  let waiting: AuditRow[] = []
  let dropped = 0
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, rowsAtOnce)
      await database.rows(insertAudit(rows))
      // Only written records leave the queue: after a failure they are retried.
      waiting = waiting.slice(rows.length)
    }
  }
  const reportDropped = (): void => {
    if (dropped > 0) observe({ kind: 'audit-records-dropped', dropped })
    dropped = 0
  }
  const round = (): void => {
    reportDropped()
    // A write that takes longer than the interval does not overlap with the next.
    if (isWriting || waiting.length === 0) return
    isWriting = true
    writing = writeAll()
      .catch((error: unknown) => observe({ kind: 'audit-not-written', waiting: waiting.length, error }))
      .finally(() => {
        isWriting = false
      })
  }
  const timer = setInterval(round, everyMilliseconds)
  timer.unref()

  return {
    record: (observation) => {
      if (!isWrittenLater(observation)) return
      if (waiting.length >= mostWaiting) dropped += 1
      else waiting.push({ at: columnTime(now()), id: newId(), ...auditRecord(observation) })
    },
    stop: async () => {
      clearInterval(timer)
      await writing
      round()
      await writing
      dropped += waiting.length
      waiting = []
      reportDropped()
    },
  }
}
