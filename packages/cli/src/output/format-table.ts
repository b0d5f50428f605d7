import type { Output } from './output.ts'
import type { Style } from './style.ts'
import { fitText, oneLine, padText, textWidth } from './text-width.ts'

export interface TableColumn {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Never truncated, such as an id that users copy. Other columns shrink, the widest first. */
  readonly whole?: true
}

export interface Table {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly string[])[]
}

export interface TableLook {
  /** Infinity if there is no terminal: then nothing is truncated. */
  readonly width: number
  readonly style: Style
}

/** As wide as the terminal; a program that reads the table gets all of it. */
export const tableLook = ({ isTerminal, columns, style }: Output): TableLook => ({
  width: isTerminal ? columns() : Infinity,
  style,
})

export const columnGap = 2
const narrowest = 4

/** The table as lines, each within `width` unless columns that are never truncated need more. */
export function formatTable(table: Table, look: TableLook): string {
  const { head, line } = layTable(table, look)
  return head + table.rows.map(line).join('')
}

/** The same for rows that arrive one after another: the rows known so far determine the widths. */
export function layTable({ columns, rows }: Table, { width, style }: TableLook) {
  const widths = columnWidths(columns, rows, width)
  // The first rows determine the widths. On a terminal, wider cells of later rows are cut to fit.
  const fitting = width === Infinity ? (text: string) => text : fitText
  const lineOf = (cells: readonly string[]): string =>
    columns
      .map(({ align = 'left' }, i) => {
        const columns = widths[i] ?? 0
        return padText(fitting(oneLine(cells[i] ?? ''), columns), columns, align)
      })
      .join(' '.repeat(columnGap))
      .trimEnd()
  return {
    head: `${style.strong(lineOf(columns.map(({ title }) => title)))}\n`,
    line: (cells: readonly string[]): string => `${lineOf(cells)}\n`,
  }
}

function columnWidths(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] {
  const widths = columns.map(({ title }, i) =>
    rows.reduce((widest, row) => Math.max(widest, textWidth(oneLine(row[i] ?? ''))), textWidth(title)),
  )
  const least = columns.map(({ title, whole }, i) =>
    whole ? (widths[i] ?? 0) : Math.min(widths[i] ?? 0, Math.max(narrowest, textWidth(title))),
  )
  let over = widths.reduce((sum, each) => sum + each, columnGap * (columns.length - 1)) - width
  while (over > 0) {
    const room = widths.map((each, i) => (each > (least[i] ?? 0) ? each : 0))
    const widest = room.indexOf(Math.max(...room))
    if (room[widest] === 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
    over -= 1
  }
  return widths
}
