// The order of values according to P45, for every sortable type.
import type { OrderDirection, ScalarType, ScalarValue } from '@octavo/protocol'

export function compareValues(type: ScalarType, a: ScalarValue, b: ScalarValue): number {
  switch (type) {
    case 'string':
      return compareCodePoints(String(a), String(b))
    case 'boolean':
    case 'integer':
    case 'double':
      return Number(a) - Number(b)
    case 'long':
      return sign(BigInt(a) - BigInt(b))
    case 'decimal':
      return compareDecimals(String(a), String(b))
    case 'date':
      return compareTexts(String(a), String(b))
    case 'timestamp':
      return compareTexts(withAllDigits(String(a)), withAllDigits(String(b)))
    default:
      return type satisfies never
  }
}

/** Objects without a value come last in both directions (P40). */
export function compareInOrder(
  type: ScalarType,
  direction: OrderDirection,
  a: ScalarValue | undefined,
  b: ScalarValue | undefined,
): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return direction === 'asc' ? compareValues(type, a, b) : compareValues(type, b, a)
}

const sign = (difference: bigint): number => (difference < 0n ? -1 : difference > 0n ? 1 : 0)

function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i += 1) {
    const difference = rank(a.charCodeAt(i)) - rank(b.charCodeAt(i))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** UTF-16 puts surrogates, which encode the highest code points, before U+E000 to U+FFFF: here they come last. */
const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit)

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function compareDecimals(a: string, b: string): number {
  const fraction = (text: string) => text.split('.')[1] ?? ''
  const digits = Math.max(fraction(a).length, fraction(b).length)
  const scaled = (text: string) => BigInt(text.split('.')[0] + fraction(text).padEnd(digits, '0'))
  return sign(scaled(a) - scaled(b))
}

/** `...:00Z` and `...:00.25Z` compare correctly as texts once both have six decimals. */
function withAllDigits(timestamp: string): string {
  const [seconds = '', fraction = ''] = timestamp.replace(/Z$/, '').split('.')
  return `${seconds}.${fraction.padEnd(6, '0')}`
}
