import { expect, it } from 'vitest'
import { heldTime } from './held-time.ts'

const heldTimeWithClock = () => {
  let now = 0
  return {
    ...heldTime(() => now),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

it('every place that is held adds the time that it is held', () => {
  const { change, of, pass } = heldTimeWithClock()
  change('one', 1)
  change('three', 3)
  pass(10)
  expect(of('one')).toBeCloseTo(10, 1)
  expect(of('three')).toBeCloseTo(30, 0)
  expect(of('none')).toBe(0)
})

it('what was held is forgotten by and by, and what is held is not', () => {
  const { change, of, pass } = heldTimeWithClock()
  change('gone', 4)
  change('stays', 1)
  pass(5_000)
  change('gone', -4)
  expect(of('gone')).toBeGreaterThan(of('stays'))
  pass(60_000)
  expect(of('gone')).toBeLessThan(100)
  expect(of('stays')).toBeGreaterThan(9_000)
})

it('the order in which places were taken and given back within an instant does not matter', () => {
  const { change, of, pass } = heldTimeWithClock()
  change('steady', 1)
  change('busy', 1)
  for (let i = 0; i < 100; i += 1) {
    pass(10)
    change('busy', -1)
    change('busy', 1)
  }
  expect(of('busy')).toBeCloseTo(of('steady'), 6)
})
