import { scalarTypes, type ScalarType } from '@octavo/protocol'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalScalar } from './canonical-scalar.ts'

const jsonOf = (type: ScalarType, value: unknown) => {
  const scalar = canonicalScalar(type, value)
  return 'json' in scalar ? scalar.json : undefined
}
const problemOf = (type: ScalarType, value: unknown) => {
  const scalar = canonicalScalar(type, value)
  return 'problem' in scalar ? scalar.problem : undefined
}

const isJson = (text: string) => {
  JSON.parse(text)
  return true
}

const digits38 = '12345678901234567890123456789012345678'

describe.each<[ScalarType, readonly (readonly [unknown, string])[]]>([
  [
    'string',
    [
      ['', '""'],
      ['a"\\\n\u0001', String.raw`"a\"\\\n\u0001"`],
      ['😀 é e\u0301', '"😀 é e\u0301"'],
      ['\u2028', '"\u2028"'],
    ],
  ],
  [
    'boolean',
    [
      [true, 'true'],
      [false, 'false'],
    ],
  ],
  [
    'integer',
    [
      [0, '0'],
      [-0, '0'],
      [2147483647, '2147483647'],
      [-2147483648, '-2147483648'],
      [1e3, '1000'],
    ],
  ],
  [
    'long',
    [
      ['9223372036854775807', '"9223372036854775807"'],
      ['-9223372036854775808', '"-9223372036854775808"'],
      ['0', '"0"'],
      ['-0', '"0"'],
      [9007199254740991, '"9007199254740991"'],
      [-0, '"0"'],
    ],
  ],
  [
    'double',
    [
      [-0, '-0.0'],
      [0, '0'],
      [1e308, '1e+308'],
      [5e-324, '5e-324'],
      [1.7976931348623157e308, '1.7976931348623157e+308'],
      [0.1, '0.1'],
    ],
  ],
  [
    'decimal',
    [
      [digits38, `"${digits38}"`],
      [
        `-${digits38.slice(0, 18)}.${digits38.slice(18)}`,
        `"-${digits38.slice(0, 18)}.${digits38.slice(18)}"`,
      ],
      ['12.500', '"12.500"'],
      ['0012.50', '"12.50"'],
      ['000', '"0"'],
      ['-0', '"0"'],
      ['-0.00', '"0.00"'],
      ['-0.01', '"-0.01"'],
      [`0.${'0'.repeat(36)}1`, `"0.${'0'.repeat(36)}1"`],
      [`${'0'.repeat(50)}7`, '"7"'],
      [42, '"42"'],
    ],
  ],
  ['date', [['2024-02-29', '"2024-02-29"']]],
  ['timestamp', [['2021-05-01T14:00:00.100+02:00', '"2021-05-01T12:00:00.1Z"']]],
])('%s', (type, accepted) => {
  it.each(accepted)('%j is written as %s', (value, json) => {
    expect(jsonOf(type, value)).toBe(json)
  })
})

describe.each<[ScalarType, readonly unknown[], string]>([
  ['string', [1, true, {}, []], 'a JSON string'],
  ['string', ['a\0b'], 'U+0000'],
  ['string', ['\ud83d', 'a\ude00b', '\ude00\ud83d'], 'half of a surrogate pair'],
  ['boolean', ['true', 0, 1, 'yes'], 'a JSON boolean'],
  [
    'integer',
    [2147483648, -2147483649, 0.5, '1', Number.NaN, true, 1n],
    'between -2147483648 and 2147483647',
  ],
  [
    'long',
    [
      '9223372036854775808',
      '-9223372036854775809',
      '01',
      '+1',
      '1.0',
      '1e3',
      '',
      ' 1',
      '1\n',
      1.5,
      2 ** 53,
      1n,
    ],
    'between "-9223372036854775808" and "9223372036854775807"',
  ],
  ['double', ['1', Number.NaN, Number.POSITIVE_INFINITY, true], 'a finite JSON number'],
  [
    'decimal',
    [
      `${digits38}9`,
      `${digits38}.5`,
      `0.${digits38}`,
      '1e3',
      '.5',
      '5.',
      '+1',
      'NaN',
      '',
      '1,5',
      0.5,
      2 ** 53,
      ' 1',
      '--1',
    ],
    'at most 38 digits',
  ],
  ['date', ['2023-02-29', 20240229], 'in the years 1 to 9999'],
  ['timestamp', ['2021-05-01T12:00:00', 0], 'with a zone and at most six decimals'],
])('%s', (type, refused, expected) => {
  it.each(refused.map((value) => [value]))(`%s is refused: must be ${expected}`, (value) => {
    expect(problemOf(type, value)).toContain(expected)
  })
})

it('what is canonical stays as it is, and the JSON text says the same as the text of the column', () => {
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.integer(),
    fc.double(),
    fc.bigInt().map(String),
    fc.stringMatching(/^-?[0-9]{1,30}(\.[0-9]{1,20})?$/),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  )
  fc.assert(
    fc.property(fc.constantFrom(...scalarTypes), values, (type, value) => {
      const first = canonicalScalar(type, value)
      if ('problem' in first) return
      const parsed: unknown = JSON.parse(first.json)
      expect(canonicalScalar(type, parsed)).toEqual(first)
      expect(first.column).toBe(typeof parsed === 'string' ? parsed : first.json)
    }),
    { numRuns: 2_000 },
  )
})

it('any value of any JSON type is either refused or written as JSON', () => {
  fc.assert(
    fc.property(fc.constantFrom(...scalarTypes), fc.jsonValue(), (type, value) => {
      const scalar = canonicalScalar(type, value)
      expect('problem' in scalar ? scalar.problem.startsWith('must ') : isJson(scalar.json)).toBe(true)
    }),
  )
})
