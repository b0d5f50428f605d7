import type { ScalarType } from '@octavo/protocol'
import { assert, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import { compareCodePoints, compareSortKeys, compareValues } from './compare-values.ts'

const compare = (scalar: ScalarType, a: unknown, b: unknown) => Math.sign(compareValues(scalar, a, b))

it('orders strings by code point, which is not the order of their UTF-16 units', () => {
  expect(['～', '😀'].toSorted()).toEqual(['😀', '～'])
  expect(['😀', '～'].toSorted(compareCodePoints)).toEqual(['～', '😀'])
  assert(
    property(string({ unit: 'binary' }), string({ unit: 'binary' }), (a, b) => {
      expect(compare('string', a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})

it('orders numbers by value, exactly', () => {
  expect(compare('long', '9223372036854775807', '9223372036854775806')).toBe(1)
  expect(compare('long', '-10', '9')).toBe(-1)
  expect(compare('decimal', '1.5', '1.50')).toBe(0)
  expect(compare('decimal', '-0.1', '-0.09')).toBe(-1)
  expect(compare('decimal', '0.1', '-0.1')).toBe(1)
  expect(compare('double', -0, 0)).toBe(0)
  expect(compare('boolean', false, true)).toBe(-1)
})

it('orders times to the microsecond', () => {
  expect(compare('timestamp', '2021-01-01T00:00:00.5Z', '2021-01-01T00:00:00Z')).toBe(1)
  expect(compare('timestamp', '2021-01-01T00:00:00.000001Z', '2021-01-01T00:00:00.00001Z')).toBe(-1)
})

it('has no value last in both directions', () => {
  for (const direction of ['asc', 'desc'] as const) {
    expect(compareSortKeys(null, 1, direction)).toBe(1)
    expect(compareSortKeys(1, null, direction)).toBe(-1)
  }
  expect(compareSortKeys(1, 2, 'desc')).toBe(1)
})
