import type { ScalarType } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { compareCodePoints, compareSortKeys, sortKeyOf } from './compare-values.ts'

const compare = (scalar: ScalarType, a: unknown, b: unknown) => {
  const [left, right] = [sortKeyOf(scalar, a), sortKeyOf(scalar, b)]
  if (left === null || right === null) throw new Error('no value')
  return Math.sign(compareSortKeys(left, right))
}

it('orders strings by code point, which is not the order of their UTF-16 units', () => {
  expect(['～', '😀'].toSorted()).toEqual(['😀', '～'])
  expect(['😀', '～'].toSorted(compareCodePoints)).toEqual(['～', '😀'])
  const strings = ['～', 'a😀', '😀', 'Z', 'a', 'a～', '', 'é', '😁', 'ab']
  const byBytes = strings.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(strings.toSorted(compareCodePoints)).toEqual(byBytes)
})

it('orders numbers by value, exactly', () => {
  expect(compare('long', '9223372036854775807', '9223372036854775806')).toBe(1)
  expect(compare('long', '-10', '9')).toBe(-1)
  expect(compare('decimal', '1.5', '1.50')).toBe(0)
  expect(compare('decimal', '-0.1', '-0.09')).toBe(-1)
  expect(compare('decimal', '0.1', '-0.1')).toBe(1)
  expect(compare('double', -0, 0)).toBe(0)
})

it('orders times to the microsecond', () => {
  expect(compare('timestamp', '2021-01-01T00:00:00.5Z', '2021-01-01T00:00:00Z')).toBe(1)
  expect(compare('timestamp', '2021-01-01T00:00:00.000001Z', '2021-01-01T00:00:00.00001Z')).toBe(-1)
})

it('has no key for no value', () => {
  expect(sortKeyOf('integer', null)).toBeNull()
  expect(sortKeyOf('boolean', undefined)).toBeNull()
})
