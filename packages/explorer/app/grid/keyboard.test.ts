import { expect, it } from 'vitest'
import { cellAfter } from './keyboard.ts'

const extent = { rows: 100, columns: 5, rowsAtOnce: 20 }

it.each([
  ['ArrowDown', false, { row: 11, column: 2 }],
  ['ArrowUp', false, { row: 9, column: 2 }],
  ['ArrowRight', false, { row: 10, column: 3 }],
  ['ArrowLeft', true, { row: 10, column: 0 }],
  ['Home', false, { row: 10, column: 0 }],
  ['End', false, { row: 10, column: 4 }],
  ['Home', true, { row: 0, column: 0 }],
  ['End', true, { row: 99, column: 4 }],
  ['PageDown', false, { row: 30, column: 2 }],
  ['PageUp', false, { row: 0, column: 2 }],
  ['x', false, undefined],
])('%s, with Ctrl: %s', (key, ctrlKey, cell) => {
  expect(cellAfter({ row: 10, column: 2 }, { key, ctrlKey, metaKey: false }, extent)).toEqual(cell)
})

it('above the first row are the headers, and nothing is beyond the edges', () => {
  const key = { key: 'ArrowUp', ctrlKey: false, metaKey: false }
  expect(cellAfter({ row: 0, column: 0 }, key, extent)).toEqual({ row: -1, column: 0 })
  expect(cellAfter({ row: -1, column: 0 }, key, extent)).toEqual({ row: -1, column: 0 })
})
