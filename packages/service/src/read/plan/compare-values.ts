import type { ScalarType } from '@octavo/protocol'
import { decimalOf } from '../../base/value/decimal.ts'

/** Compares two texts of a column as PostgreSQL compares their values. */
export function compareValues(scalar: ScalarType, a: string, b: string): number {
  switch (scalar) {
    case 'integer':
    case 'double':
      return Number(a) - Number(b)
    case 'long':
    case 'decimal':
      return compareDecimals(a, b)
    case 'string':
      // By code points, as bytes of UTF-8 are compared.
      return Buffer.compare(Buffer.from(a), Buffer.from(b))
    default: {
      // Without its Z, a time without decimals comes before one that has them.
      const [x, y] = [a.replace('Z', ''), b.replace('Z', '')]
      return x < y ? -1 : Number(x > y)
    }
  }
}

function compareDecimals(a: string, b: string): number {
  const [x, y] = [decimalOf(a), decimalOf(b)]
  const difference = x.units * y.perOne - y.units * x.perOne
  return difference < 0n ? -1 : Number(difference > 0n)
}
