// Joins lines into CSV records: a record continues on the next line while a quote is open.
import { isUtf8 } from 'node:buffer'
import { cellsOf, closingQuote, type Cell } from './csv-cells.ts'
import type { RecordLocation } from './input-record.ts'
import type { Line } from './line.ts'
import { mostRecordBytes, notUtf8, tooLong } from './line-rules.ts'

export type CsvRecord = RecordLocation &
  (
    | { readonly kind: 'cells'; readonly cells: readonly Cell[] }
    | { readonly kind: 'wrong'; readonly cell?: number; readonly problem: string; readonly isCut?: true }
  )

export interface CsvLines {
  /** The records that end with this line: usually one, none inside a quoted cell. */
  readonly add: (line: Line) => readonly CsvRecord[]
  /** The remaining records, after the last line. */
  readonly end: () => readonly CsvRecord[]
}

const lineEnds = { plain: Buffer.from('\n'), withReturn: Buffer.from('\r\n') }
const neverClosed = 'must end with a quote, because it begins with one; a quote inside it is doubled: ""'

/** A record that is longer is given up. */
export function csvLines(
  delimiter: string,
  { mostBytes = mostRecordBytes }: { readonly mostBytes?: number } = {},
): CsvLines {
  let begun: Line[] = []
  let begunBytes = 0
  let openCell = 0

  // A quote that is never closed must not swallow the lines after it: its first line is rejected, the others are parsed
  // again.
  const giveUp = (): readonly CsvRecord[] => {
    const [first, ...others] = begun
    begun = []
    if (first === undefined) return []
    return [
      { ...locationOf([first]), kind: 'wrong', cell: openCell, problem: neverClosed },
      ...others.flatMap(add),
    ]
  }

  const addToBegun = (line: Line): readonly CsvRecord[] => {
    begunBytes += line.bytes.length + 2
    if (line.isCut || begunBytes > mostBytes) return [...giveUp(), ...add(line)]
    begun.push(line)
    // Most lines inside a cell close no quote, so the record is joined only once for each cell with line ends in it.
    if (closingQuote(line.bytes.toString('latin1'), 0) === -1) return []
    const location = locationOf(begun)
    const read = cellsOf(location.raw.toString('utf8'), delimiter)
    if (read.kind === 'wrong') return giveUp()
    if (read.kind === 'open') {
      openCell = read.cell
      return []
    }
    begun = []
    return [
      isUtf8(location.raw)
        ? { ...location, ...read }
        : { ...location, kind: 'wrong', problem: notUtf8(location.raw) },
    ]
  }

  const add = (line: Line): readonly CsvRecord[] => {
    if (begun.length > 0) return addToBegun(line)
    if (line.bytes.length === 0) return []
    const location = locationOf([line])
    if (line.isCut) return [{ ...location, kind: 'wrong', problem: tooLong, isCut: true }]
    if (!isUtf8(line.bytes)) return [{ ...location, kind: 'wrong', problem: notUtf8(line.bytes) }]
    const read = cellsOf(line.bytes.toString('utf8'), delimiter)
    if (read.kind !== 'open') return [{ ...location, ...read }]
    begun = [line]
    begunBytes = line.bytes.length
    openCell = read.cell
    return []
  }

  const end = (): readonly CsvRecord[] => (begun.length === 0 ? [] : [...giveUp(), ...end()])

  return { add, end }
}

function locationOf(lines: readonly Line[]): RecordLocation {
  const [first] = lines
  const last = lines.at(-1)
  if (first === undefined || last === undefined) throw new Error('a record has at least one line')
  const raw =
    first === last
      ? first.bytes
      : Buffer.concat(
          lines.flatMap((line) =>
            line === last
              ? [line.bytes]
              : [line.bytes, line.hasReturn ? lineEnds.withReturn : lineEnds.plain],
          ),
        )
  return { line: first.line, raw, endByte: last.endByte, endLine: last.line + 1 }
}
