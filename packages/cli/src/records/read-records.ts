// Reads the records of an input in either format, from its beginning or from where a load stopped.
import { extname } from 'node:path'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { wrongUse } from '../base/cli-error.ts'
import { columnsOf, type CsvColumn, type MissingColumns } from './csv-header.ts'
import type { CsvRecord } from './csv-lines.ts'
import { csvRecords } from './csv-records.ts'
import type { InputRecords } from './input-record.ts'
import { beginning, type LineStart } from './line.ts'
import { mostRecordBytes } from './line-rules.ts'
import { ndjsonRecords } from './ndjson-records.ts'
import type { Input } from './open-input.ts'
import { splitLines } from './split-lines.ts'

export const recordFormats = ['ndjson', 'csv'] as const
export type RecordFormat = (typeof recordFormats)[number]

export interface ReadRecordsOptions {
  readonly format: RecordFormat
  readonly delimiter: string
  readonly definition: ObjectTypeDefinition
  readonly missing: MissingColumns
  readonly from?: LineStart
  /** Called with the first record of CSV, before the records that follow it are returned. */
  readonly onHeader?: (raw: Buffer) => void
}

export async function readRecords(input: Input, options: ReadRecordsOptions): Promise<InputRecords> {
  const { format, delimiter, definition, missing, from = beginning, onHeader } = options
  const lines = (start: LineStart) =>
    splitLines(input.read(start.byte), { from: start, mostBytes: mostRecordBytes })
  if (format === 'ndjson') {
    const { primaryKey, properties } = definition
    return ndjsonRecords(lines(from), { name: primaryKey, type: properties[primaryKey]?.type ?? 'string' })
  }
  const header = { definition, file: input.name, delimiter, missing }
  const cells = { delimiter, writesNulls: missing === 'kept' }
  let known: readonly CsvColumn[] | undefined
  const columns = (first: CsvRecord | undefined): readonly CsvColumn[] => {
    known = columnsOf(first, header)
    // A copy, because the bytes of the input are used again.
    if (first !== undefined) onHeader?.(Buffer.from(first.raw))
    return known
  }
  if (from.byte === 0) return csvRecords(lines(from), { ...cells, columns })
  for await (const _ of csvRecords(lines(beginning), { ...cells, columns })) if (known !== undefined) break
  return csvRecords(lines(from), { ...cells, columns: known ?? columns })
}

/** Decided by the file's name, with or without .gz; standard input is NDJSON by default. */
export function formatOf(name: string): RecordFormat {
  const format = name === '-' ? 'ndjson' : formatOfName(name.replace(/[.]gz$/i, ''))
  if (format !== undefined) return format
  const remedy = remedyByExtension.get(extname(name).toLowerCase()) ?? 'Add --format ndjson or --format csv.'
  throw wrongUse(
    `The name ${name} does not tell the format: it ends in none of ${recordExtensions}. ${remedy}`,
  )
}

const formatByExtension: ReadonlyMap<string, RecordFormat> = new Map([
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.json', 'ndjson'],
  ['.csv', 'csv'],
])

/** What people have besides. */
const remedyByExtension: ReadonlyMap<string, string> = new Map([
  ['.tsv', `Add --format csv --delimiter '\\t'.`],
  ['.tab', `Add --format csv --delimiter '\\t'.`],
  ['.xls', 'Save it as CSV in UTF-8.'],
  ['.xlsx', 'Save it as CSV in UTF-8.'],
  ['.ods', 'Save it as CSV in UTF-8.'],
  ['.parquet', 'Write it as CSV or NDJSON first, for example with DuckDB.'],
])

export const recordExtensions = [...formatByExtension.keys()].join(', ')

/** Undefined if the name has none of the known extensions. */
export const formatOfName = (name: string): RecordFormat | undefined =>
  formatByExtension.get(extname(name).toLowerCase())
