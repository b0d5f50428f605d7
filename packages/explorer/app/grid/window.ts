// Which part of a table is in sight. Rows have one height, so their positions are products, and nothing has to be measured.
import type { Column } from './columns.ts'

export const rowHeight = 30

/** Browsers limit the height of an element to some 17 million pixels. */
const mostPixels = 12_000_000

export interface ScrollPosition {
  /** The distance from the top of the first row to the top of what is in sight, whatever the element's own height. */
  readonly top: number
  /** What the element reports for it. */
  readonly scrollTop: number
}

export const startPosition: ScrollPosition = { top: 0, scrollTop: 0 }

export const scrollHeightOf = (rows: number): number => Math.min(rows * rowHeight, mostPixels)

/** How far the bar may stand from where it belongs before it is moved there. */
const mostDrift = 50_000

/**
 * Where the table is after the element was scrolled. In a table taller than the browser allows, a small movement is taken as it is,
 * and a large one, which is somebody dragging the bar, as a share of the whole. The element may then have to be scrolled to
 * another position, so that the bar and the rows reach the end together.
 */
export function scrolledTo(
  before: ScrollPosition,
  scrollTop: number,
  { rows, height }: { readonly rows: number; readonly height: number },
): ScrollPosition {
  const real = rows * rowHeight
  const mostTop = Math.max(0, real - height)
  if (real <= mostPixels) return { top: Math.min(scrollTop, mostTop), scrollTop }
  const scrollable = mostPixels - height
  const moved = scrollTop - before.scrollTop
  const isSmall = Math.abs(moved) < 4 * height
  const wanted = isSmall ? before.top + moved : (scrollTop / scrollable) * mostTop
  const top = Math.max(0, Math.min(wanted, mostTop))
  const share = Math.round((top / mostTop) * scrollable)
  const isAtEdge = scrollTop <= 0 || scrollTop >= scrollable - 1 || top === 0 || top === mostTop
  return { top, scrollTop: isAtEdge || Math.abs(share - scrollTop) > mostDrift ? share : scrollTop }
}

/** How far to scroll the element so that this row is in sight, and what it then shows. */
export function positionOf(
  row: number,
  at: ScrollPosition,
  { rows, height }: { readonly rows: number; readonly height: number },
): ScrollPosition {
  const rowTop = row * rowHeight
  const top =
    rowTop < at.top ? rowTop : rowTop + rowHeight > at.top + height ? rowTop + rowHeight - height : at.top
  if (top === at.top) return at
  if (rows * rowHeight <= mostPixels) return { top, scrollTop: top }
  const share = top / Math.max(1, rows * rowHeight - height)
  return { top, scrollTop: Math.round(share * (scrollHeightOf(rows) - height)) }
}

export const rowsInSight = (
  { top }: ScrollPosition,
  { rows, height }: { readonly rows: number; readonly height: number },
): readonly [first: number, last: number] => {
  const first = Math.max(0, Math.floor(top / rowHeight) - 4)
  return [first, Math.max(first, Math.min(rows - 1, Math.ceil((top + height) / rowHeight) + 4))]
}

/** The columns in sight; pinned ones always are. */
export const columnsInSight = (
  columns: readonly Column[],
  scrollLeft: number,
  width: number,
): readonly Column[] =>
  columns.filter(
    ({ isPinned, left, width: own }) =>
      isPinned || (left + own > scrollLeft - 100 && left < scrollLeft + width + 100),
  )
