import type { ScalarType } from '@octavo/protocol'
import { canonicalScalar } from '@octavo/service'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { cellJson } from '../records/cell-json.ts'
import { textKind, type TextKind } from './scalar-facts.ts'

it.each<[TextKind, readonly string[]]>([
  ['integer', ['0', '-1', '2147483647', '-2147483648']],
  ['long', ['2147483648', '9007199254740993', '9223372036854775807', '-9223372036854775808']],
  ['digits', ['9223372036854775808', '12345678901234567890123456789012345678']],
  ['decimal', ['0.5', '-12.50', '1.0']],
  ['exponent', ['1e3', '-1.5E-7']],
  ['boolean', ['true', 'FALSE']],
  ['date', ['2024-02-29']],
  ['timestamp', ['2024-02-29T10:00Z', '2024-02-29T10:00:00.123456+02:00']],
  [
    'word',
    [
      '007',
      '-0',
      '+4930',
      '1e999',
      '1,5',
      '.5',
      ' 1',
      '2023-02-29',
      '29.02.2024',
      '2024-02-29 10:00:00',
      '2024-02-29T10:00:00',
      '123456789012345678901234567890123456789',
      'yes',
      '',
    ],
  ],
])('reads as %s: %j', (kind, texts) => {
  for (const text of texts) expect(textKind(text), text).toBe(kind)
})

/** The types that are chosen for columns that hold values of this kind, among others. */
const typesOf: Readonly<Record<TextKind, readonly ScalarType[]>> = {
  integer: ['integer', 'long', 'decimal', 'double', 'string'],
  long: ['long', 'decimal', 'double', 'string'],
  digits: ['decimal', 'double', 'string'],
  decimal: ['decimal', 'double', 'string'],
  exponent: ['double', 'string'],
  boolean: ['boolean', 'string'],
  date: ['date', 'string'],
  timestamp: ['timestamp', 'string'],
  word: ['string'],
}

it('a cell is never read as a kind whose types the service would refuse', () => {
  const texts = fc.oneof(
    fc.integer().map(String),
    fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
    fc.double().map(String),
    fc.stringMatching(/^[-+]?[0-9]{1,42}(\.[0-9]{0,12})?([eE][-+]?[0-9]{1,4})?$/),
    fc.stringMatching(
      /^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,7})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$/,
    ),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom('true', 'False', 'TRUE', 'NaN', 'Infinity', 'null', '-', '0x10'),
    fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      for (const type of typesOf[textKind(text)]) {
        const json = cellJson({ text, isQuoted: true }, type)
        expect(canonicalScalar(type, JSON.parse(json ?? 'null')), `${text} as ${type}`).not.toHaveProperty(
          'problem',
        )
      }
    }),
    { numRuns: 5_000 },
  )
})
