import type { OrderKey } from '@octavo/client'
import { typeText } from '../types/object-type.ts'
import type { Column } from './columns.ts'
import type { Cell } from './keyboard.ts'

export interface HeaderActions {
  readonly onSort: (column: Column) => void
  readonly onResize: (column: Column, width: number) => void
}

interface GridHeaderProps extends HeaderActions {
  /** The columns in sight, of `all`. */
  readonly columns: readonly Column[]
  readonly all: readonly Column[]
  readonly order: readonly OrderKey[]
  readonly active: Cell
}

const names = { asc: 'ascending', desc: 'descending' } as const

export function GridHeader({ columns, all, order, active, onSort, onResize }: GridHeaderProps) {
  return (
    <div class="grid-head" role="rowgroup">
      <div class="grid-row head" role="row" aria-rowindex={1}>
        {columns.map((column) => {
          const { name, property, isPinned, isNumeric, left, width } = column
          const number = all.indexOf(column)
          const direction = order.find(({ field }) => field === name)?.direction ?? undefined
          return (
            <div
              key={name}
              class={`cell${isPinned ? ' pinned' : ''}${isNumeric ? ' number' : ''}${property.sortable ? ' sortable' : ''}`}
              role="columnheader"
              aria-colindex={number + 1}
              aria-sort={direction === undefined ? 'none' : names[direction]}
              data-cell={`-1:${number}`}
              tabIndex={active.row === -1 && active.column === number ? 0 : -1}
              title={property.description ?? `${name}: ${typeText(property.type)}`}
              style={{ left: `${left}px`, width: `${width}px` }}
              onClick={() => onSort(column)}
            >
              <span class="column-name">{name}</span>
              <span class="column-type">{typeText(property.type)}</span>
              {direction !== undefined && (
                <span class="direction" aria-hidden="true">
                  {direction === 'asc' ? '↑' : '↓'}
                </span>
              )}
              <ResizeHandle width={width} onResize={(next) => onResize(column, next)} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface ResizeHandleProps {
  readonly width: number
  readonly onResize: (width: number) => void
}

/** For the mouse. With the keyboard, Shift and an arrow on the header do the same. */
function ResizeHandle({ width, onResize }: ResizeHandleProps) {
  const onPointerDown = (down: PointerEvent): void => {
    const handle = down.currentTarget as HTMLElement
    handle.setPointerCapture(down.pointerId)
    const move = ({ clientX }: PointerEvent): void => onResize(width + clientX - down.clientX)
    const up = (): void => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('pointerup', up)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', up)
    down.stopPropagation()
  }
  return (
    <span
      class="resize"
      aria-hidden="true"
      onPointerDown={onPointerDown}
      onClick={(event) => event.stopPropagation()}
    />
  )
}
