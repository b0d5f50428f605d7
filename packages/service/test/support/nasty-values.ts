// Values that other systems have lost or changed, in canonical form.
import type { ScalarType } from '@octavo/protocol'
import * as fc from 'fast-check'

const digits = (length: number) => '98765432101234567890987654321012345678'.slice(0, length)

const strings = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'a',
    'A',
    'b',
    'null',
    '\u0001',
    '\u001f\u007f\u0085',
    '"',
    '\\',
    '\\"',
    '\n',
    '\r\n\t',
    '},\n{"rid":"',
    "'; drop table x; --",
    '$1',
    '{a,b}',
    'é',
    'e\u0301',
    'ß',
    '\u2028',
    '\ufeff',
    // After the surrogates in UTF-16 order, before the astral characters in code point order.
    '\uffff',
    '\uff5e',
    '😀',
    '👩\u200d👩\u200d👧',
    '\u{10ffff}',
    'x'.repeat(1000),
    `${'x'.repeat(999)}y`,
    '😀'.repeat(250),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
)

const keys = fc.oneof(
  { weight: 3, arbitrary: strings.filter((text) => text !== '') },
  { weight: 1, arbitrary: fc.constantFrom('a', 'b', '\u{10ffff}').map((end) => `${'k'.repeat(1020)}${end}`) },
  { weight: 1, arbitrary: fc.constant('😀'.repeat(256)) },
)

const days = fc.oneof(
  fc.constantFrom('0001-01-01', '0099-12-31', '1582-10-10', '2024-02-29', '9999-12-31'),
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
)

const times = fc
  .tuple(
    days,
    fc.constantFrom('00:00:00', '23:59:59', '12:34:56'),
    fc.constantFrom('', '.000001', '.1', '.12', '.123456', '.999999'),
  )
  .map(([day, time, decimals]) => `${day}T${time}${decimals}Z`)

export const nastyValues = {
  string: strings,
  boolean: fc.boolean(),
  integer: fc.oneof(fc.constantFrom(0, -1, 2147483647, -2147483648), fc.integer()),
  long: fc.oneof(
    fc.constantFrom(
      '9223372036854775807',
      '-9223372036854775808',
      '9007199254740993',
      '9007199254740992',
      '0',
    ),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  ),
  double: fc.oneof(
    fc.constantFrom(-0, 0, 1e308, -1e308, 5e-324, -5e-324, 1.7976931348623157e308, 0.1, 0.30000000000000004),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ),
  decimal: fc.oneof(
    fc.constantFrom('0', '0.00', '1', '1.0', '1.00', '-1.50', digits(38), `-${digits(38)}`),
    fc.constantFrom(
      `${digits(1)}.${digits(37)}`,
      `${digits(37)}.0`,
      `0.${'0'.repeat(36)}1`,
      `-0.${'0'.repeat(36)}1`,
    ),
    fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.bigInt({ min: 1n, max: 10n ** 19n }),
        fc.stringMatching(/^[0-9]{1,18}$/),
      )
      .map(([sign, whole, fraction]) => `${sign}${whole}.${fraction}`),
  ),
  date: days,
  timestamp: times,
} as const satisfies Record<ScalarType, fc.Arbitrary<unknown>>

export const nastyKeys = { ...nastyValues, string: keys } as const
