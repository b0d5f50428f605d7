import { expect, it } from 'vitest'
import { positionOf, rowHeight, rowsInSight, scrolledTo, scrollHeightOf, startPosition } from './window.ts'

it('in a table that the browser can lay out, a pixel is a pixel', () => {
  const extent = { rows: 1_000, height: 600 }
  const place = scrolledTo(startPosition, 3_000, extent)
  expect(place).toEqual({ top: 3_000, scrollTop: 3_000 })
  expect(rowsInSight(place, extent)).toEqual([96, 124])
})

it('in a taller one, the end of the bar is the last row, and a small movement is as long as it is', () => {
  const extent = { rows: 10_000_000, height: 600 }
  const last = scrolledTo(startPosition, scrollHeightOf(extent.rows) - 600, extent)
  expect(rowsInSight(last, extent)[1]).toBe(9_999_999)
  const middle = scrolledTo(startPosition, 6_000_000, extent)
  expect(scrolledTo(middle, 6_000_120, extent).top - middle.top).toBe(120)
})

it.each([1_000, 10_000_000])('a row of %i is brought into sight', (rows) => {
  const extent = { rows, height: 600 }
  for (const row of [0, 7, rows >> 1, rows - 1]) {
    const { top } = positionOf(row, startPosition, extent)
    expect(row * rowHeight).toBeGreaterThanOrEqual(top)
    expect(row * rowHeight + rowHeight).toBeLessThanOrEqual(top + extent.height)
  }
})

it('small movements lead from the first row of a taller table to its last, and none is passed over', () => {
  const extent = { rows: 1_000_000, height: 600 }
  let place = startPosition
  let steps = 0
  for (; place.top < extent.rows * rowHeight - extent.height; steps += 1) {
    const next = scrolledTo(place, place.scrollTop + 600, extent)
    expect(next.top - place.top).toBeLessThanOrEqual(600)
    expect(next.top).toBeGreaterThan(place.top)
    place = next
  }
  expect(steps).toBe(Math.ceil((extent.rows * rowHeight - extent.height) / 600))
  expect(place.scrollTop).toBe(scrollHeightOf(extent.rows) - extent.height)
})
