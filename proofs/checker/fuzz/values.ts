// Values that are hard to deal with.
import type { Chance } from '../chances.ts'

/** Of the ontology, so that much of what is made is nearly right. */
export interface Known {
  readonly rid: string
  readonly tokens: readonly string[]
}

export interface Values {
  readonly text: () => string
  readonly number: () => number
  /** Of a property. */
  readonly scalar: () => string | number | boolean
  readonly any: (depth?: number) => unknown
  readonly fraction: (ofHundred: number) => boolean
}

const texts = [
  '',
  'a',
  'item',
  'one',
  'k1',
  '\u0000',
  '%00',
  '\ud800',
  '🧨',
  'x'.repeat(300),
  'x'.repeat(9_000),
  '../..',
  '%2e%2e%2f',
  "' or 1=1 --",
  '1e400',
  '-0',
  'NaN',
  '9223372036854775808',
  '9'.repeat(26),
  '0001-01-01',
  '2020-02-30',
  '9999-12-31T23:59:59.999999Z',
  '0000-00-00',
  '2020-01-01T00:00:00+99:99',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'ri.ontology.main.ontology.00000000-0000-0000-0000-000000000000',
  'ri.ontology.main.object.x',
  '\u202e',
  '\uFFFF',
  'a\nb',
  'a\r\nX: y',
  '%',
  '%zz',
  '*',
  '+',
  ' ',
  '\t',
  '{',
  '"',
  '\\',
]
const numbers = [0, 1, -1, 2, 64, 65, 1_000, 1e9, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324, 0.5, -0]
const scalars = [
  '2020-01-01',
  '2020-01-01T00:00:00.5Z',
  '1.50',
  'Infinity',
  '1e5',
  '9'.repeat(38),
  '9'.repeat(39),
  `0.${'9'.repeat(37)}`,
]
const memberNames = ['type', 'field', 'value', 'query', 'objectSet', 'fields', 'select']

export function valuesByChance({ below, one }: Chance, known: Known): Values {
  const allTexts = [...texts, known.rid, ...known.tokens]
  const text = (): string => one(allTexts)
  const number = (): number => one(numbers)
  const any = (depth = 0): unknown => {
    switch (below(depth > 4 ? 4 : 7)) {
      case 0:
        return number()
      case 1:
        return null
      case 2:
        return below(2) === 0
      case 3:
        return text()
      case 4:
        return Array.from({ length: below(4) }, () => any(depth + 1))
      case 5:
        return Object.fromEntries(
          Array.from({ length: below(4) }, () => [one([...texts, ...memberNames]), any(depth + 1)]),
        )
      default:
        return one([{ type: 'empty' }, { type: 'eq', field: 'n', value: any(depth + 1) }, { claim: 'sub' }])
    }
  }
  return {
    text,
    number,
    scalar: () => [text, number, () => one(scalars), () => below(2) === 0][below(4)]?.() ?? '',
    any,
    fraction: (ofHundred) => below(100) < ofHundred,
  }
}
