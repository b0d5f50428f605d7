// Records what was changed and by whom, in the transaction of the change: there is never one without the other. Changes of the
// registry are recorded in octavo.audit, changes of an ontology in the ontology's own schema, because data that must agree may
// not be on two nodes of a cluster.
import type { ChangeMade } from '../observe/observation.ts'
import type { Reader } from '../postgres/database.ts'
import { columnTime } from '../base/value/column-time.ts'
import { auditRecord, storable } from './audit-record.ts'
import { insertAudit } from './insert-audit.ts'

export interface RecordedChange extends Omit<ChangeMade, 'kind'> {
  readonly id: string
  readonly now: Date
}

export async function recordChange(
  transaction: Reader,
  { id, now, ...change }: RecordedChange,
): Promise<void> {
  const record = auditRecord({ kind: 'change-made', ...change })
  await transaction.rows(insertAudit([{ at: columnTime(now), id, ...record }]))
}

export interface RecordedDefinition {
  readonly id: string
  readonly subject: string
  readonly objectType: string
  readonly revision: number
}

/** Commits are not recorded here, but with their objects (write/commit/commit-parts.ts). */
export async function recordDefinition(
  transaction: Reader,
  schema: string,
  { id, subject, objectType, revision }: RecordedDefinition,
): Promise<void> {
  await transaction.rows({
    text: `insert into ${schema}.audit (at, id, subject, action, object_type, details)
values (now() at time zone 'UTC', $1, $2, 'applyObjectType', $3, $4::jsonb)`,
    values: [id, storable(subject), objectType, JSON.stringify({ revision })],
  })
}
