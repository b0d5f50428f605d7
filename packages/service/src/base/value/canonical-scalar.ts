// Makes one scalar value from outside canonical: the JSON text that is stored and served, and the text for a typed column. No
// value passes through a `number` or a `Date` that cannot hold it exactly.
import { limits, type ScalarType } from '@octavo/protocol'
import { canonicalDate, canonicalTimestamp } from './canonical-time.ts'

export type CanonicalScalar =
  { readonly json: string; readonly column: string } | { readonly problem: string }

export function canonicalScalar(type: ScalarType, value: unknown): CanonicalScalar {
  switch (type) {
    case 'string':
      return canonicalString(value)
    case 'boolean':
      return typeof value === 'boolean' ? same(String(value)) : refused('a JSON boolean')
    case 'integer':
      return typeof value === 'number' && (value | 0) === value
        ? same(String(value))
        : refused('a JSON integer between -2147483648 and 2147483647')
    case 'long':
      return canonicalLong(value)
    case 'double':
      return canonicalDouble(value)
    case 'decimal':
      return canonicalDecimal(value)
    case 'date':
      return quoted(canonicalDate(value), 'a string such as "2021-05-01", in the years 1 to 9999')
    case 'timestamp':
      return quoted(
        canonicalTimestamp(value),
        'a string such as "2021-05-01T12:00:00.123456Z", with a zone and at most six decimals, in the years 1 to 9999',
      )
    default:
      return type satisfies never
  }
}

const same = (text: string) => ({ json: text, column: text })
const refused = (expected: string) => ({ problem: `must be ${expected}` })
const quoted = (text: string | undefined, expected: string) =>
  text === undefined ? refused(expected) : { json: `"${text}"`, column: text }

function canonicalString(value: unknown): CanonicalScalar {
  if (typeof value !== 'string') return refused('a JSON string')
  if (value.includes('\0'))
    return { problem: 'must not contain the character U+0000, which PostgreSQL cannot store' }
  if (!value.isWellFormed())
    return { problem: 'must be well-formed Unicode: it contains half of a surrogate pair' }
  return { json: JSON.stringify(value), column: value }
}

const longText = /^-?(0|[1-9][0-9]{0,18})$/
const greatestLong = 2n ** 63n - 1n

function canonicalLong(value: unknown): CanonicalScalar {
  const expected = 'a string of digits between "-9223372036854775808" and "9223372036854775807"'
  if (typeof value === 'number') {
    // A larger JSON number may already have lost digits when it was parsed.
    return Number.isSafeInteger(value) ? quoted(String(value), expected) : refused(expected)
  }
  if (typeof value !== 'string' || !longText.test(value)) return refused(expected)
  // Fewer digits than the greatest long has, so it is one; and but for -0 it is written as it will be.
  if (value.length < 19 && value !== '-0') return quoted(value, expected)
  const long = BigInt(value)
  return long <= greatestLong && long >= -greatestLong - 1n
    ? quoted(String(long), expected)
    : refused(expected)
}

function canonicalDouble(value: unknown): CanonicalScalar {
  if (typeof value !== 'number' || !Number.isFinite(value)) return refused('a finite JSON number')
  // JSON.stringify would lose the sign of -0.
  return same(Object.is(value, -0) ? '-0.0' : JSON.stringify(value))
}

const decimalText = /^(-?)0*([0-9]+)(?:\.([0-9]+))?$/

function canonicalDecimal(value: unknown): CanonicalScalar {
  const expected = `a string such as "-12.50", with at most ${limits.value.decimalDigits} digits`
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  const parts = typeof text === 'string' ? decimalText.exec(text) : null
  if (parts === null) return refused(expected)
  const [, sign = '', whole = '', fraction] = parts
  if (whole.length + (fraction?.length ?? 0) > limits.value.decimalDigits) return refused(expected)
  const digits = fraction === undefined ? whole : `${whole}.${fraction}`
  // PostgreSQL's numeric type has no negative zero.
  return quoted(/[1-9]/.test(digits) ? `${sign}${digits}` : digits, expected)
}
