import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { OrderKey } from '@octavo/client'
import { widthOf, type Column } from './columns.ts'
import { GridHeader, type HeaderActions } from './grid-header.tsx'
import { GridRow } from './grid-row.tsx'
import { cellAfter, type Cell } from './keyboard.ts'
import type { Reading, Row } from './reading.ts'
import {
  columnsInSight,
  positionOf,
  rowHeight,
  rowsInSight,
  scrolledTo,
  scrollHeightOf,
  startPosition,
} from './window.ts'

interface GridProps extends HeaderActions {
  readonly label: string
  readonly reading: Reading
  readonly columns: readonly Column[]
  readonly order: readonly OrderKey[]
  readonly opened: string | undefined
  /** The objects that have just changed, by their primary keys. */
  readonly changed: ReadonlyMap<string, 'put' | 'delete'>
  /** What has changed since the state of the rows, as it is now. */
  readonly newer: ReadonlyMap<string, Row>
  readonly onOpen: (row: Row) => void
  readonly onCopy: (row: Row, column: Column) => void
}

const headerHeight = 34

export function Grid(props: GridProps) {
  const { label, reading, columns, order, opened, changed, newer, onOpen, onCopy, ...actions } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [position, setPosition] = useState(startPosition)
  const [size, setSize] = useState({ width: 1_000, height: 600, left: 0 })
  const active = useSignal<Cell>({ row: 0, column: 0 })
  const wantsFocus = useRef(false)
  /** The row with the focus, which stays even if its page is given up. */
  const held = useRef<{ readonly reading: Reading; readonly index: number; readonly row: Row }>(null)
  const { rows, isExact } = reading.state.value
  const extent = { rows, height: size.height }
  const [first, last] = rowsInSight(position, extent)

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const measure = (): void =>
      setSize({
        width: element.clientWidth,
        height: Math.max(rowHeight, element.clientHeight - headerHeight),
        left: element.scrollLeft,
      })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: 0 })
    setPosition(startPosition)
    active.value = { row: 0, column: 0 }
  }, [reading, active])

  useEffect(() => reading.need(first, last), [reading, first, last])

  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    const { row, column } = active.value
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
    if (cell === undefined || cell === null) return
    wantsFocus.current = false
    cell.focus({ preventScroll: true })
  })

  const onScroll = (): void => {
    const element = scroller.current
    if (element === null) return
    setPosition((before) => {
      const next = scrolledTo(before, element.scrollTop, extent)
      if (next.scrollTop !== element.scrollTop) element.scrollTop = next.scrollTop
      return next
    })
    if (element.scrollLeft !== size.left) setSize((before) => ({ ...before, left: element.scrollLeft }))
  }

  const bringIntoSight = ({ row, column }: Cell): void => {
    const element = scroller.current
    if (element === null) return
    if (row >= 0) {
      const next = positionOf(row, position, extent)
      setPosition(next)
      element.scrollTop = next.scrollTop
    }
    const target = columns[column]
    if (target === undefined || target.isPinned) return
    const pinned = widthOf(columns.filter(({ isPinned }) => isPinned))
    if (target.left - pinned < element.scrollLeft) element.scrollLeft = target.left - pinned
    else if (target.left + target.width > element.scrollLeft + size.width)
      element.scrollLeft = target.left + target.width - size.width
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const { row, column } = active.value
    const here = columns[column]
    const object = row < 0 ? undefined : reading.row(row)
    const rowsAtOnce = Math.max(1, Math.floor(size.height / rowHeight) - 1)
    if (event.key === 'Enter' && object !== undefined) onOpen(object)
    else if (event.key === 'Enter' && here !== undefined) actions.onSort(here)
    else if (
      event.key === 'c' &&
      (event.ctrlKey || event.metaKey) &&
      object !== undefined &&
      here !== undefined
    ) {
      if (getSelection()?.isCollapsed === false) return
      onCopy(object, here)
    } else if (row < 0 && event.shiftKey && /Arrow(Left|Right)/.test(event.key) && here !== undefined) {
      actions.onResize(here, here.width + (event.key === 'ArrowRight' ? 20 : -20))
    } else {
      const next = cellAfter(active.value, event, { rows, columns: columns.length, rowsAtOnce })
      if (next === undefined) return
      wantsFocus.current = true
      bringIntoSight(next)
      active.value = next
    }
    event.preventDefault()
  }

  const rowAt = (index: number): Row | undefined => {
    const row = reading.row(index)
    if (index !== active.value.row) return row
    if (row !== undefined) held.current = { reading, index, row }
    return held.current?.reading === reading && held.current.index === index ? held.current.row : undefined
  }
  const inSight = columnsInSight(columns, size.left, size.width)
  const activeColumn = columns[active.value.column]
  const shownColumns =
    activeColumn === undefined || inSight.includes(activeColumn) ? inSight : [...inSight, activeColumn]
  const shownRows = Array.from({ length: rows === 0 ? 0 : last - first + 1 }, (_, i) => first + i)
  // The row with the focus stays, however far it is: otherwise the focus would be lost with it.
  if (active.value.row >= 0 && active.value.row < rows && !shownRows.includes(active.value.row)) {
    shownRows.push(active.value.row)
  }
  const slots = last - first + 2
  return (
    <div
      ref={scroller}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={isExact ? rows + 1 : -1}
      aria-colcount={columns.length}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onFocusCapture={({ target }) => {
        const [row, column] = ((target as HTMLElement).dataset['cell'] ?? '').split(':').map(Number)
        if (row !== undefined && column !== undefined) active.value = { row, column }
      }}
    >
      <div class="grid-size" style={{ width: `${widthOf(columns)}px` }}>
        <GridHeader columns={shownColumns} all={columns} order={order} active={active.value} {...actions} />
        <div class="grid-rows" role="rowgroup" style={{ height: `${scrollHeightOf(rows)}px` }}>
          {shownRows.map((index) => {
            const read = rowAt(index)
            const row = read && (newer.get(read.primaryKey) ?? read)
            return (
              <GridRow
                key={index >= first && index <= last ? index % slots : 'active'}
                index={index}
                top={index * rowHeight - position.top + position.scrollTop}
                row={row}
                columns={shownColumns}
                all={columns}
                activeColumn={active.value.row === index ? active.value.column : undefined}
                isOpen={row !== undefined && row.primaryKey === opened}
                change={row === undefined ? undefined : changed.get(row.primaryKey)}
                onOpen={onOpen}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
