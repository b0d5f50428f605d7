// CSV: each record becomes the JSON object of its properties. Records are joined from lines of bytes, so that each has its
// line number, its offset in the file for a resume, and its own UTF-8 check.
import { cellJson } from './cell-json.ts'
import type { Cell } from './csv-cells.ts'
import type { CsvColumn } from './csv-header.ts'
import { csvLines, type CsvRecord } from './csv-lines.ts'
import type { InputRecord } from './input-record.ts'
import { keyText } from './key-text.ts'
import type { Line } from './line.ts'

interface CsvOptions {
  readonly delimiter: string
  /** An empty cell removes the value, so it is written: as null. */
  readonly writesNulls: boolean
  /** The columns, from the header, which is the first record; or already known if a load resumes after it. */
  readonly columns: readonly CsvColumn[] | ((header: CsvRecord | undefined) => readonly CsvColumn[])
}

export async function* csvRecords(
  lines: AsyncIterable<readonly Line[]>,
  { delimiter, writesNulls, columns: given }: CsvOptions,
): AsyncGenerator<readonly InputRecord[]> {
  const joined = csvLines(delimiter)
  let columns = typeof given === 'function' ? undefined : given

  const read = (records: readonly CsvRecord[]): readonly InputRecord[] => {
    const [header, ...others] = records
    if (columns !== undefined || typeof given !== 'function') {
      return records.map((record) => recordOf(record, columns ?? [], writesNulls))
    }
    if (header === undefined) return []
    columns = given(header)
    return read(others)
  }

  for await (const group of lines) yield group.flatMap((line) => read(joined.add(line)))
  yield read(joined.end())
  if (columns === undefined && typeof given === 'function') given(undefined)
}

function recordOf(record: CsvRecord, columns: readonly CsvColumn[], writesNulls: boolean): InputRecord {
  const { line, raw, endByte, endLine } = record
  const location = { line, raw, endByte, endLine }
  if (record.kind === 'wrong') {
    const property = record.cell === undefined ? undefined : columns[record.cell - 1]?.property
    return {
      kind: 'bad',
      ...location,
      ...(property !== undefined && { property }),
      problem: record.problem,
      ...(record.isCut && { isCut: true }),
    }
  }
  const { cells } = record
  if (cells.length !== columns.length) {
    return {
      kind: 'bad',
      ...location,
      problem: `must have ${columns.length} cells like the header, not ${cells.length}`,
    }
  }
  return { kind: 'good', ...location, ...objectOf(cells, columns, writesNulls) }
}

function objectOf(
  cells: readonly Cell[],
  columns: readonly CsvColumn[],
  writesNulls: boolean,
): { readonly json: string; readonly key: string | undefined } {
  let members = ''
  let key: string | undefined
  for (const [i, { member, type, isKey }] of columns.entries()) {
    const cell = cells[i]
    const found = cell === undefined ? undefined : cellJson(cell, type)
    const json = found ?? (writesNulls ? 'null' : undefined)
    if (json === undefined) continue
    members += members === '' ? member + json : `,${member}${json}`
    if (isKey) key = keyText(type, cell?.text)
  }
  return { json: `{${members}}`, key }
}
