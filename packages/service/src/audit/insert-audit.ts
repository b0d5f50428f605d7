import type { SqlQuery } from '../sql/sql-query.ts'
import { auditColumns, type AuditRecord } from './audit-record.ts'

export type AuditRow = AuditRecord & { readonly at: string; readonly id: string }

export const insertAudit = (rows: readonly AuditRow[]): SqlQuery => {
  const columns = ['at', 'id', ...auditColumns] as const
  const casts = columns.map((column, i) => `$${i + 1}::${typeOf(column)}[]`)
  return {
    // A round whose answer was lost on the way is sent again.
    text: `insert into octavo.audit (${columns.join(', ')}) select * from unnest(${casts.join(', ')}) on conflict do nothing`,
    values: columns.map((column) => rows.map((row) => row[column])),
  }
}

const typeOf = (column: keyof AuditRow): string => {
  if (column === 'at') return 'timestamp'
  return column === 'objects' || column === 'bytes' ? 'bigint' : 'text'
}
