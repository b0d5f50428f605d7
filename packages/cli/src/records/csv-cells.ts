// The cells of one CSV record (RFC 4180): a cell in quotes may hold delimiters, line ends and doubled quotes.

export interface Cell {
  readonly text: string
  readonly isQuoted: boolean
}

export type CellsOfRecord =
  | { readonly kind: 'cells'; readonly cells: readonly Cell[] }
  /** A quote in this cell is still open, so the record continues on the next line. */
  | { readonly kind: 'open'; readonly cell: number }
  | { readonly kind: 'wrong'; readonly cell: number; readonly problem: string }

export function cellsOf(text: string, delimiter: string): CellsOfRecord {
  if (!text.includes('"')) {
    return { kind: 'cells', cells: text.split(delimiter).map((cell) => ({ text: cell, isQuoted: false })) }
  }
  const cells: Cell[] = []
  let at = 0
  for (;;) {
    const cell = cells.length + 1
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1)
      if (close === -1) return { kind: 'open', cell }
      cells.push({ text: text.slice(at + 1, close).replaceAll('""', '"'), isQuoted: true })
      at = close + 1
      if (at < text.length && text[at] !== delimiter) {
        return {
          kind: 'wrong',
          cell,
          problem: 'must end after its closing quote; a quote inside it is doubled: ""',
        }
      }
    } else {
      const next = text.indexOf(delimiter, at)
      const end = next === -1 ? text.length : next
      const bare = text.slice(at, end)
      if (bare.includes('"')) {
        return {
          kind: 'wrong',
          cell,
          problem: 'must be quoted as a whole, with the quotes inside it doubled: ""',
        }
      }
      cells.push({ text: bare, isQuoted: false })
      at = end
    }
    if (at >= text.length) return { kind: 'cells', cells }
    at += 1
  }
}

/** A doubled quote does not close the cell. */
export function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return -1
}
