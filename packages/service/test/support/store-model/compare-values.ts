// The order of property values, implemented a second time and in JavaScript only, to check PostgreSQL's order.
import type { ScalarType } from '@octavo/protocol'

type Comparable = string | number | bigint | boolean

/** Null means no value. It comes last in both directions, so callers that compare handle it separately. */
export type SortKey = Comparable | null

/** Computed once per value, so that sorting compares values that JavaScript can compare. */
export function sortKeyOf(scalar: ScalarType, value: unknown): SortKey {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new TypeError(`a ${scalar} must not be ${JSON.stringify(value)}`)
  }
  switch (scalar) {
    case 'long':
      return BigInt(String(value))
    case 'decimal':
      return scaledDecimal(String(value))
    case 'timestamp':
      return paddedTimestamp(String(value))
    case 'integer':
    case 'double':
      return Number(value)
    case 'boolean':
      return value === true
    case 'string':
    case 'date':
      return String(value)
    default:
      return scalar satisfies never
  }
}

export function compareSortKeys(a: Comparable, b: Comparable): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  // -0 equals 0 here, as it does in PostgreSQL.
  return a < b ? -1 : a > b ? 1 : 0
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

const decimals = 40

function scaledDecimal(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`)
}

/** As text, "12:00:00Z" would come after "12:00:00.5Z". */
function paddedTimestamp(text: string): string {
  const [seconds = '', fraction = ''] = text.replace(/Z$/, '').split('.')
  return `${seconds}.${fraction.padEnd(6, '0')}`
}
