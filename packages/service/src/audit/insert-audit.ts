import type { SqlQuery } from '../base/sql-query.ts'
import { auditColumns, storable, type AuditRecord } from './audit-record.ts'

export type AuditRow = AuditRecord & { readonly at: string; readonly id: string }

/** Sends all rows as one JSON text: in arrays, each value of each column would be escaped separately. */
export const insertAudit = (rows: readonly AuditRow[]): SqlQuery => ({
  // If the answer was lost, the same rows are sent again.
  text: `insert into octavo.audit (${columns.join(', ')}) select * from json_to_recordset($1::json) as given(${given}) on conflict do nothing`,
  values: [
    JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value)),
  ],
})

const typeOf = (column: keyof AuditRow): string => {
  if (column === 'at') return 'timestamp'
  if (column === 'details') return 'jsonb'
  return column === 'objects' || column === 'bytes' ? 'bigint' : 'text'
}

const columns = ['at', 'id', ...auditColumns] as const
const given = columns.map((column) => `${column} ${typeOf(column)}`).join(', ')
