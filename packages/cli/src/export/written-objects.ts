// The objects in a file that an export has written, some at a time. An unreadable line is a SyntaxError.
import type { PropertyType } from '@octavo/protocol'
import { csvLines, type CsvRecord } from '../records/csv-lines.ts'
import { splitLines } from '../records/split-lines.ts'
import type { TypeFacts } from '../reading/type-facts.ts'
import type { Properties } from './object-line.ts'

type SomeObjects = AsyncGenerator<readonly Properties[]>

/** An object may be longer than the service would take at once. */
const mostBytes = Infinity

export async function* objectsInNdjson(chunks: AsyncIterable<Buffer>): SomeObjects {
  for await (const lines of splitLines(chunks, { mostBytes })) {
    yield lines.map(({ bytes }) => JSON.parse(bytes.toString()) as Properties)
  }
}

/** The first record is the header. */
export async function* objectsInCsv(
  chunks: AsyncIterable<Buffer>,
  { properties }: Pick<TypeFacts, 'properties'>,
): SomeObjects {
  // In the order of a canonical object: a hash of it then needs no other order.
  const columns = [...properties]
    .map(([name, type], index) => ({ name, type, index }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const joined = csvLines(',', { mostBytes })
  let hasHeader = false
  const read = (records: readonly CsvRecord[]): readonly Properties[] => {
    const rows = hasHeader ? records : records.slice(1)
    hasHeader ||= records.length > 0
    return rows.map((record) => objectIn(record, columns))
  }
  for await (const lines of splitLines(chunks, { mostBytes })) {
    yield lines.flatMap((line) => read(joined.add(line)))
  }
  yield read(joined.end())
}

interface Column {
  readonly name: string
  readonly type: PropertyType
  readonly index: number
}

function objectIn(record: CsvRecord, columns: readonly Column[]): Properties {
  if (record.kind === 'wrong') throw new SyntaxError(`line ${record.line} ${record.problem}`)
  const { cells } = record
  if (cells.length !== columns.length) {
    throw new SyntaxError(`line ${record.line} has ${cells.length} cells and not ${columns.length}`)
  }
  const object = Object.create(null) as Record<string, unknown>
  for (const { name, type, index } of columns) {
    const cell = cells[index]
    if (cell !== undefined && (cell.isQuoted || cell.text !== '')) object[name] = valueOf(cell.text, type)
  }
  return object
}

/** As JSON has it. */
function valueOf(text: string, type: PropertyType): unknown {
  switch (type) {
    case 'string':
    case 'long':
    case 'decimal':
    case 'date':
    case 'timestamp':
      return text
    default:
      return JSON.parse(text)
  }
}
