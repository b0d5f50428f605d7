// A row of a file, in the formats that `octavo export` writes and `octavo load` reads.
import type { FoundObject } from '@octavo/client'
import type { ExportFormat } from '../reader/messages.ts'
import { wholeText } from '../grid/cell-text.ts'

export const mediaTypeOf = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** RFC 4180. */
const csvField = (value: unknown): string => {
  const text = wholeText(value)
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

const csvLine = (fields: readonly unknown[]): string => `${fields.map(csvField).join(',')}\r\n`

export const headOf = (format: ExportFormat, columns: readonly string[]): string =>
  format === 'csv' ? csvLine(columns) : ''

export const lineOf = (
  format: ExportFormat,
  columns: readonly string[],
  { properties }: FoundObject,
): string =>
  format === 'csv' ? csvLine(columns.map((name) => properties[name])) : `${JSON.stringify(properties)}\n`
