// Values with many equal ones, near ones and ones that other systems confuse.
import type { ScalarType } from '@octavo/protocol'
import type { Random } from './seeded-random.ts'

export type Scalar = string | number | boolean

const words = [
  'ada',
  'Ada',
  'BYRON',
  'byronic',
  'a',
  'x*',
  '*',
  'a&b',
  '&',
  'a|b',
  '|',
  'back\\slash',
  '\\',
  '\\\\',
  'c++',
  '<->',
  '$1',
  'null',
  '{a,b}',
  'é',
  'e\u0301',
  'Straße',
  'İx',
  'Ⱥ',
  '漢字',
  '😀',
  '😀smile',
  '\u{10ffff}',
  '\uff5e',
] as const
/** Separators between words; they may also start or end a text. */
const betweenWords = [' ', '  ', ', ', '-', "'", '"', ':', '\t', '\u00a0', '\u2028', ' (', '?!', '~'] as const

const long = 'L'.repeat(249)
/** Longer than the prefix of a string that an index keeps; equal within that prefix and beyond it. */
const longStrings = [
  long,
  `${long}L`,
  `${long}La`,
  `${long}Lb`,
  `${long}L ada`,
  `${long}😀`,
  `${long}😀a`,
  `${'😀'.repeat(249)}a`,
] as const
/** Terms longer than those of PostgreSQL, which allows 2,046 bytes; only where a string may be that long. */
const hugeStrings = [
  '漢'.repeat(690),
  `${'漢'.repeat(690)}x ada`,
  `ada ${'ü'.repeat(3_000)}`,
  `${'Ⱥ'.repeat(1_024)} b`,
  'L'.repeat(2_052),
] as const
const wholeStrings = ['', ' ', 'A', 'a', 'B', 'b', '\uffff', '😀', 'ß', "'; drop table x; --"] as const

const pools = {
  boolean: [true, false],
  integer: [-2147483648, -1, 0, 1, 2, 3, 2147483647],
  long: [
    '-9223372036854775808',
    '-1',
    '0',
    '1',
    '9007199254740992',
    '9007199254740993',
    '9223372036854775807',
  ],
  double: [-1e308, -1.5, -5e-324, -0, 0, 0.1, 0.30000000000000004, 1.5, 1e308],
  decimal: [
    '-1.50',
    '-1.5',
    '0',
    '0.00',
    '1',
    '1.0',
    '1.00',
    '1.01',
    '98765432101234567890987654321012345678',
  ],
  date: ['0001-01-01', '1582-10-10', '2024-02-28', '2024-02-29', '9999-12-31'],
  timestamp: [
    '0001-01-01T00:00:00Z',
    '2024-02-29T23:59:59.999999Z',
    '2024-03-01T00:00:00Z',
    '2024-03-01T00:00:00.000001Z',
    '2024-03-01T00:00:00.1Z',
    '9999-12-31T23:59:59.999999Z',
  ],
} as const satisfies Record<Exclude<ScalarType, 'string'>, readonly Scalar[]>

const oneOf = <T>(random: Random, values: readonly T[]): T => random.pick(values as readonly [T, ...T[]])

function anyText(random: Random, most: number): string {
  let text = random.chance(0.1) ? oneOf(random, betweenWords) : ''
  for (let left = random.integer(1, most); left > 0; left -= 1) {
    text += oneOf(random, words) + (left > 1 || random.chance(0.1) ? oneOf(random, betweenWords) : '')
  }
  return text
}

export interface ValueOptions {
  /** Whether the string may be longer than an index entry. */
  readonly huge?: boolean
}

export function anyValue(random: Random, scalar: ScalarType, { huge = false }: ValueOptions = {}): Scalar {
  if (scalar !== 'string') return oneOf<Scalar>(random, pools[scalar])
  if (huge && random.chance(0.1)) return oneOf(random, hugeStrings)
  if (random.chance(0.2)) return oneOf(random, longStrings)
  return random.chance(0.3) ? oneOf(random, wholeStrings) : anyText(random, 4)
}

/** The text of a term query: words of the objects, in other cases, truncated, or no words at all. */
export function anyTermText(random: Random): string {
  const kind = random.integer(0, 9)
  if (kind === 0) return oneOf(random, ['', ' ', '?!', '-', "''"])
  if (kind === 1)
    return Array.from(oneOf(random, [...hugeStrings, ...longStrings]))
      .slice(0, oneOf(random, [7, 100, 249, 250, 251, 340]))
      .join('')
  const text = anyText(random, oneOf(random, [1, 1, 2, 3]))
  if (kind === 2) return text.toUpperCase()
  if (kind === 3) return Array.from(text).slice(0, 2).join('')
  return text
}
