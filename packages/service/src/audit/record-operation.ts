import type { ChangeMade } from '../observe/observation.ts'
import type { Reader } from '../postgres/database.ts'
import { auditRecord } from './audit-record.ts'
import { columnTime } from '../value/column-time.ts'
import { insertAudit } from './insert-audit.ts'

/** Whoever has the database and the commands; the system they run on knows which person that is. */
const operator = 'operator'

export interface Operation extends Omit<ChangeMade, 'kind' | 'subject'> {
  readonly id: string
  readonly now: Date
}

/** What a command of an operator changed: written with the change, in its transaction. */
export async function recordOperation(transaction: Reader, { id, now, ...change }: Operation): Promise<void> {
  const record = auditRecord({ kind: 'change-made', subject: operator, ...change })
  await transaction.rows(insertAudit([{ at: columnTime(now), id, ...record }]))
}
