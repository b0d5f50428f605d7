import { expect, it } from 'vitest'
import { mapInTurns } from './map-in-turns.ts'

it('P396: makes one of each in order, and gives way while it takes long', async () => {
  let turns = 0
  const others = setInterval(() => (turns += 1), 0)
  const items = Array.from({ length: 20 }, (_, i) => i)
  const made = await mapInTurns(items, (item) => {
    const until = performance.now() + 11
    while (performance.now() < until);
    return item * 2
  })
  clearInterval(others)
  expect(made).toEqual(items.map((item) => item * 2))
  expect(turns).toBeGreaterThan(10)
})

it('what takes no time is made at once', async () => {
  let isLater = false
  setImmediate(() => (isLater = true))
  expect(await mapInTurns([1, 2, 3], String)).toEqual(['1', '2', '3'])
  expect(isLater).toBe(false)
})
