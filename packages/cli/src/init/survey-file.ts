// Reads a file as a load reads it, and gathers what its columns hold.
import { wrongUse } from '../base/cli-error.ts'
import { csvLines, type CsvRecord } from '../records/csv-lines.ts'
import { otherDelimiter } from '../records/delimiter-option.ts'
import type { Line } from '../records/line.ts'
import { mostRecordBytes, tooLong } from '../records/line-rules.ts'
import { objectIn } from '../records/ndjson-records.ts'
import type { Input } from '../records/open-input.ts'
import type { RecordFormat } from '../records/read-records.ts'
import { splitLines } from '../records/split-lines.ts'
import { columnFacts, noteCell, noteValue, type ColumnFacts } from './column-facts.ts'
import { looksLikeKey } from './key-names.ts'

export interface Survey {
  readonly columns: readonly ColumnFacts[]
  readonly rows: number
  /** Whether the file has no more rows than were looked at. */
  readonly isWhole: boolean
  /** Rows that a load will reject because they cannot be read. */
  readonly unreadable: Unreadable
}

interface Unreadable {
  readonly rows: number
  readonly firstLine: number
  /** What the first of them breaks. */
  readonly problem: string
}

const nothingUnreadable: Unreadable = { rows: 0, firstLine: 0, problem: '' }

const oneMore = ({ rows, firstLine, problem }: Unreadable, line: number, broken: string): Unreadable =>
  rows === 0 ? { rows: 1, firstLine: line, problem: broken } : { rows: rows + 1, firstLine, problem }

export interface SurveyOptions {
  readonly format: RecordFormat
  readonly delimiter: string
  readonly mostRows: number
  /** A column that was named as the key is always counted to the end. */
  readonly key?: string | undefined
  /** Whether the columns are known without any rows. */
  readonly mayBeEmpty: boolean
}

/** How many columns are checked for repeated values to the end of a large file; each takes 16 bytes a row. */
const countedToTheEnd = 12
const moreIfNamedLikeKeys = 4

export async function surveyFile(input: Input, options: SurveyOptions): Promise<Survey> {
  const reader = options.format === 'csv' ? csvReader(input, options) : ndjsonReader(options)
  const lines = splitLines(input.read(0), { mostBytes: mostRecordBytes })
  let isWhole = true
  for await (const group of lines) {
    for (const line of group) reader.add(line)
    if (reader.rows() >= options.mostRows) {
      isWhole = (await lines.next()).done === true
      break
    }
  }
  await lines.return(undefined)
  const survey = reader.end()
  const { rows, unreadable } = survey
  if (rows === 0 && unreadable.rows > 0) {
    throw wrongUse(
      `${input.name} has no row that can be read: line ${unreadable.firstLine} ${unreadable.problem}.`,
    )
  }
  return { ...survey, isWhole }
}

interface Reader {
  readonly add: (line: Line) => void
  readonly rows: () => number
  readonly end: () => Omit<Survey, 'isWhole'>
}

function columnMaker({ key }: SurveyOptions): (column: string) => ColumnFacts {
  let made = 0
  let extra = 0
  return (column) => {
    made += 1
    const toTheEnd =
      made <= countedToTheEnd ||
      column === key ||
      (looksLikeKey(column) && (extra += 1) <= moreIfNamedLikeKeys)
    return columnFacts(column, { toTheEnd })
  }
}

function csvReader({ name }: Input, options: SurveyOptions): Reader {
  const { delimiter, mayBeEmpty } = options
  const joined = csvLines(delimiter)
  let columns: readonly ColumnFacts[] | undefined
  let rows = 0
  let unreadable = nothingUnreadable
  const take = (record: CsvRecord): void => {
    if (columns === undefined) columns = headerOf(record, name, delimiter).map(columnMaker(options))
    else if (record.kind === 'wrong') {
      unreadable = oneMore(unreadable, record.line, record.problem)
    } else if (record.cells.length !== columns.length) {
      const problem = `must have ${columns.length} cells, as the header has; it has ${record.cells.length}`
      unreadable = oneMore(unreadable, record.line, problem)
    } else {
      rows += 1
      for (const [i, column] of columns.entries()) {
        const cell = record.cells[i]
        if (cell !== undefined) noteCell(column, cell, record.line)
      }
    }
  }
  return {
    add: (line) => {
      for (const record of joined.add(line)) take(record)
    },
    rows: () => rows,
    end: () => {
      for (const record of joined.end()) take(record)
      if (columns === undefined) {
        throw wrongUse(`${name} is empty: its first line must name the columns, and the rows follow it.`)
      }
      if (rows + unreadable.rows === 0 && !mayBeEmpty) {
        throw wrongUse(`${name} has a header but no rows, so there is nothing to learn from: add some rows.`)
      }
      return { columns, rows, unreadable }
    },
  }
}

function headerOf(header: CsvRecord, file: string, delimiter: string): readonly string[] {
  const refuse = (problem: string) => wrongUse(`${file}, line ${header.line}: ${problem}`)
  if (header.kind === 'wrong') throw refuse(`the header ${header.problem}.`)
  const names = header.cells.map(({ text }) => text)
  const other = otherDelimiter(names, delimiter)
  if (other !== undefined) throw refuse(other)
  const twice = names.findIndex((name, i) => name !== '' && names.indexOf(name) !== i)
  const first = names.indexOf(names[twice] ?? '')
  if (twice !== -1) {
    throw refuse(
      `columns ${first + 1} and ${twice + 1} are both named ${names[twice]}: rename or remove one of them.`,
    )
  }
  return names
}

function ndjsonReader(options: SurveyOptions): Reader {
  const columns = new Map<string, ColumnFacts>()
  const make = columnMaker(options)
  let rows = 0
  let unreadable = nothingUnreadable
  return {
    add: (line) => {
      if (/^[ \t\r]*$/.test(line.bytes.toString('latin1', 0, 1_024)) && line.bytes.length < 1_024) return
      const object = line.isCut ? tooLong : objectIn(line.bytes)
      if (typeof object === 'string') {
        unreadable = oneMore(unreadable, line.line, object)
        return
      }
      rows += 1
      for (const [name, value] of Object.entries(object)) {
        let column = columns.get(name)
        if (column === undefined) columns.set(name, (column = make(name)))
        noteValue(column, value, line.line)
      }
    },
    rows: () => rows,
    end: () => {
      if (rows + unreadable.rows === 0) {
        throw wrongUse('The file is empty: each line must be the JSON object of one object.')
      }
      return { columns: [...columns.values()], rows, unreadable }
    },
  }
}
