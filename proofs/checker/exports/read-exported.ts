// Reads an exported file without any code of the product.
import { readFileSync } from 'node:fs'
import { parquetReadObjects } from 'hyparquet'

export type Format = 'ndjson' | 'csv' | 'parquet'

/** Each object as JSON with its names in order; an error says what cannot be read. */
export async function readExported(path: string, format: Format): Promise<readonly string[]> {
  const bytes = readFileSync(path)
  switch (format) {
    case 'ndjson':
      return linesOf(bytes).map((line) => orderedText(JSON.parse(line) as object))
    case 'csv':
      return objectsOfCsv(textOf(bytes)).map(orderedText)
    case 'parquet': {
      const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
      return rows.map((row) => orderedText(row))
    }
    default:
      return format satisfies never
  }
}

export const orderedText = (object: object): string =>
  JSON.stringify(
    Object.entries(object)
      .filter(([, value]) => value !== null && value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

function linesOf(bytes: Uint8Array): readonly string[] {
  const lines = textOf(bytes).split('\n')
  if (lines.pop() !== '') throw new Error('the last line has no end')
  return lines
}

const isJson = new Set(['n', 'size', 'flag', 'tags'])

/** RFC 4180: an empty cell without quotes is no value. */
function objectsOfCsv(text: string): readonly object[] {
  const [header = [], ...rows] = rowsOf(text)
  const names = header.map((cell) => cell ?? '')
  return rows.map((row) => {
    if (row.length !== names.length) throw new Error(`a row has ${row.length} cells`)
    return Object.fromEntries(
      row.flatMap((cell, i) => {
        const name = names[i] ?? ''
        return cell === undefined ? [] : [[name, isJson.has(name) ? (JSON.parse(cell) as unknown) : cell]]
      }),
    )
  })
}

function rowsOf(text: string): readonly (readonly (string | undefined)[])[] {
  const rows: (string | undefined)[][] = []
  let row: (string | undefined)[] = []
  const cell = /"((?:[^"]|"")*)"(,|\n)|([^",\n]*)(,|\n)/y
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const found = cell.exec(text)
    if (found === null) throw new Error(`the cell at ${at} cannot be read`)
    const [, quoted, afterQuoted, bare, afterBare] = found
    row.push(quoted === undefined ? bare || undefined : quoted.replaceAll('""', '"'))
    if ((afterQuoted ?? afterBare) === ',') continue
    rows.push(row)
    row = []
  }
  if (row.length > 0) throw new Error('the last row has no end')
  return rows
}
