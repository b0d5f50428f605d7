import { expect, it } from 'vitest'
import { nearestQuotient } from './nearest-number.ts'

it('divides whole numbers as IEEE 754 does', () => {
  expect(nearestQuotient('10', 4n)).toBe(2.5)
  expect(nearestQuotient('-1', 3n)).toBe(-1 / 3)
  expect(nearestQuotient('0', 7n)).toBe(0)
})

it('rounds once, on either side of the middle of two doubles', () => {
  // 2^53 + 1 is the middle of two doubles, and goes to the even one; the least bit more goes up.
  expect(nearestQuotient('18014398509481986', 2n)).toBe(2 ** 53)
  expect(nearestQuotient(`18014398509481986.${'0'.repeat(60)}1`, 2n)).toBe(2 ** 53 + 2)
  expect(nearestQuotient(`-18014398509481986.${'0'.repeat(60)}1`, 2n)).toBe(-(2 ** 53) - 2)
})

it('is exact for the smallest doubles and the largest', () => {
  const places = 1_076
  const halfOfSmallest = (5n ** 1_075n).toString().padStart(places - 1, '0')
  expect(nearestQuotient(`0.${halfOfSmallest}`, 1n)).toBe(0)
  expect(nearestQuotient(`0.${halfOfSmallest}01`, 1n)).toBe(Number.MIN_VALUE)
  expect(nearestQuotient(`34${'0'.repeat(307)}`, 2n)).toBe(1.7e308)
  expect(nearestQuotient(`34${'0'.repeat(308)}`, 2n)).toBe(Infinity)
})
