import { assert, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import { compareInOrder, compareValues } from './compare-values.ts'

it('strings are compared by code point, as their UTF-8 bytes are', () => {
  assert(
    property(string({ unit: 'binary' }), string({ unit: 'binary' }), (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
      expect(Math.sign(compareValues('string', a, b))).toBe(bytes)
    }),
  )
})

it('numbers beyond 2^53, decimals and times are compared by value', () => {
  expect(compareValues('long', '9007199254740993', '9007199254740992')).toBe(1)
  expect(compareValues('long', '-10', '9')).toBe(-1)
  expect(compareValues('decimal', '1.50', '1.5')).toBe(0)
  expect(compareValues('decimal', '-0.5', '0.25')).toBe(-1)
  expect(compareValues('decimal', '10', '9.99')).toBe(1)
  expect(compareValues('timestamp', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00.25Z')).toBe(-1)
  expect(compareValues('date', '2024-01-02', '2024-01-10')).toBe(-1)
  expect(compareValues('boolean', false, true)).toBeLessThan(0)
})

it('what has no value comes last in both directions', () => {
  for (const direction of ['asc', 'desc'] as const) {
    expect(compareInOrder('integer', direction, undefined, 1)).toBe(1)
    expect(compareInOrder('integer', direction, 1, undefined)).toBe(-1)
  }
  expect(compareInOrder('integer', 'desc', 1, 2)).toBe(1)
})
