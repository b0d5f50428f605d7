// The keys of a grid, as the ARIA practices describe them.
export interface Cell {
  /** -1 is the row of headers. */
  readonly row: number
  readonly column: number
}

interface Extent {
  readonly rows: number
  readonly columns: number
  readonly rowsAtOnce: number
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>

/** Where the key leads; undefined for a key that does not move. */
export function cellAfter(
  { row, column }: Cell,
  key: Key,
  { rows, columns, rowsAtOnce }: Extent,
): Cell | undefined {
  const isFar = key.ctrlKey || key.metaKey
  const to = (nextRow: number, nextColumn: number): Cell => ({
    row: Math.max(-1, Math.min(rows - 1, nextRow)),
    column: Math.max(0, Math.min(columns - 1, nextColumn)),
  })
  switch (key.key) {
    case 'ArrowDown':
      return to(isFar ? rows - 1 : row + 1, column)
    case 'ArrowUp':
      return to(isFar ? 0 : row - 1, column)
    case 'ArrowRight':
      return to(row, isFar ? columns - 1 : column + 1)
    case 'ArrowLeft':
      return to(row, isFar ? 0 : column - 1)
    case 'Home':
      return to(isFar ? 0 : row, 0)
    case 'End':
      return to(isFar ? rows - 1 : row, columns - 1)
    case 'PageDown':
      return to(row + rowsAtOnce, column)
    case 'PageUp':
      return to(Math.max(0, row - rowsAtOnce), column)
    default:
      return undefined
  }
}
