// The order of values (P45), in JavaScript only: nothing here is taken from what a database or the service computes.
import type { OrderDirection, ScalarType } from '@octavo/protocol'

/** What JavaScript compares as the contract compares values. Null stands for no value. */
export type SortKey = string | number | bigint | boolean | null

export const compareValues = (scalar: ScalarType, a: unknown, b: unknown): number =>
  compareSortKeys(sortKeyOf(scalar, a), sortKeyOf(scalar, b), 'asc')

/** No value comes last in both directions (P40). */
export function compareSortKeys(a: SortKey, b: SortKey, direction: OrderDirection): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const [x, y] = direction === 'asc' ? [a, b] : [b, a]
  if (typeof x === 'string' && typeof y === 'string') return compareCodePoints(x, y)
  // -0 equals 0 here, as it does in the contract.
  return x < y ? -1 : x > y ? 1 : 0
}

export function sortKeyOf(scalar: ScalarType, value: unknown): SortKey {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new TypeError(`a ${scalar} must not be ${JSON.stringify(value)}`)
  switch (scalar) {
    case 'long':
      return BigInt(String(value))
    case 'decimal':
      return scaledDecimal(String(value))
    case 'timestamp':
      return paddedTimestamp(String(value))
    case 'boolean':
    case 'integer':
    case 'double':
      return Number(value)
    case 'string':
    case 'date':
      return String(value)
    default:
      return scalar satisfies never
  }
}

/** JavaScript compares UTF-16 code units, in which U+1F600 (a surrogate pair) comes before U+FF5E. */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i += 1) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left === right) continue
    return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1
  }
  return a.length - b.length
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff

const mostDecimals = 40

function scaledDecimal(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.padEnd(mostDecimals, '0')}`)
}

/** As text, "12:00:00Z" would come after "12:00:00.5Z". */
function paddedTimestamp(text: string): string {
  const [seconds = '', fraction = ''] = text.replace(/Z$/, '').split('.')
  return `${seconds}.${fraction.padEnd(6, '0')}`
}
