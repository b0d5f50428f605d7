import { expect, it } from 'vitest'
import { median, quantile, spread } from './statistics.ts'

it('a median is one of the rounds, not a value between two', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2)
})

it('a quantile is a value that so many did not exceed', () => {
  const latencies = Array.from({ length: 1_000 }, (_, i) => i + 1)
  expect(quantile(latencies, 0.5)).toBe(500)
  expect(quantile(latencies, 0.99)).toBe(990)
  expect(quantile(latencies, 0.999)).toBe(999)
  expect(quantile([7], 0.999)).toBe(7)
})

it('the spread compares the furthest rounds with the median', () => {
  expect(spread([90, 100, 120])).toBeCloseTo(0.3)
})
