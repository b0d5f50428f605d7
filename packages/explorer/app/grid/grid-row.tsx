import { cellText } from './cell-text.ts'
import type { Column } from './columns.ts'
import type { Row } from './reading.ts'

interface GridRowProps {
  readonly index: number
  readonly top: number
  /** Undefined while it is being read. */
  readonly row: Row | undefined
  /** The columns in sight, of `all`. */
  readonly columns: readonly Column[]
  readonly all: readonly Column[]
  readonly activeColumn: number | undefined
  readonly isOpen: boolean
  readonly change: 'put' | 'delete' | undefined
  readonly onOpen: (row: Row) => void
}

export function GridRow(props: GridRowProps) {
  const { index, top, row, columns, all, activeColumn, isOpen, change, onOpen } = props
  const state = `${isOpen ? ' open' : ''}${change === undefined ? '' : ` changed-${change}`}`
  return (
    <div
      class={`grid-row${row === undefined ? ' waiting' : ''}${state}${index % 2 === 1 ? ' odd' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-busy={row === undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map((column) => {
        const number = all.indexOf(column)
        // No letter is narrower than three pixels: laying out more than fits would only take time.
        const text = cellText(row?.properties[column.name], Math.ceil(column.width / 3))
        const isKey = column.name === all[0]?.name
        return (
          <div
            key={column.name}
            class={`cell${column.isPinned ? ' pinned' : ''}${column.isNumeric ? ' number' : ''}${isKey ? ' key' : ''}`}
            role="gridcell"
            aria-colindex={number + 1}
            data-cell={`${index}:${number}`}
            tabIndex={activeColumn === number ? 0 : -1}
            style={{ left: `${column.left}px`, width: `${column.width}px` }}
            onClick={isKey && row !== undefined ? () => onOpen(row) : undefined}
            onDblClick={row === undefined ? undefined : () => onOpen(row)}
          >
            {row === undefined ? <span class="bone" /> : text === undefined ? <NoValue /> : <bdi>{text}</bdi>}
          </div>
        )
      })}
    </div>
  )
}

const NoValue = () => (
  <span class="none">
    <span aria-hidden="true">–</span>
    <span class="unseen">no value</span>
  </span>
)
