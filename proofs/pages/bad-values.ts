// Unexpected values, as text and as JSON.
import { randomBytes } from 'node:crypto'
import type { Random } from '@octavo/model'
import type { BadInputTarget } from './spoilt-ontology.ts'

const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e309',
  '9223372036854775808',
  'true',
  'null',
  'undefined',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  '..%2f..%2f',
  "' or '1'='1",
  '"; drop table x; --',
  '$1',
  '%s%n',
  '\u0000',
  '\ud800',
  '\uffff',
  '😀'.repeat(50),
  'é\u0301',
  'ri.ontology.main.ontology.x',
  'p.id:asc',
  'properties.rank:desc',
  'p.rank:asc,p.rank:desc',
  'p.a,p.b,p.c,p.d,p.e,p.f',
  '{"type":"empty"}',
  'a'.repeat(300),
  'a'.repeat(5_000),
  '%',
  '%zz',
  '%00',
  '%ff',
  '%ed%a0%80',
  '+',
  '&=&=',
  ';',
  '#',
  '\\',
  '2030-02-30',
  '2030-02-30T00:00:00Z',
  '2030-02-28T24:00:00Z',
  '2030-01-01T00:00:00+99:00',
  '0000-00-00',
  '9999-12-31T23:59:59.999999-15:00',
  '99999999999999999999999999999999999999.5',
  'subject:tester',
  'operator',
  'x'.repeat(255),
] as const

/** Placeholders for what JSON.stringify cannot write; `writtenOut` replaces them in the text. */
const marks = {
  deepList: '\uE000deepList',
  deepObject: '\uE000deepObject',
  hugeNumber: '\uE000hugeNumber',
  longNumber: '\uE000longNumber',
  loneSurrogate: '\uE000loneSurrogate',
} as const

const written: Readonly<Record<keyof typeof marks, (levels: number) => string>> = {
  deepList: (levels) => '['.repeat(levels) + ']'.repeat(levels),
  deepObject: (levels) => '{"type":'.repeat(levels) + '1' + '}'.repeat(levels),
  hugeNumber: () => '1e400',
  longNumber: () => '-123456789012345678901234567890.000000000000000000001',
  loneSurrogate: () => '"\\ud83d"',
}

export function writtenOut(text: string, random: Random): string {
  let whole = text
  for (const [name, mark] of Object.entries(marks)) {
    if (!whole.includes(mark)) continue
    const make = written[name as keyof typeof marks]
    whole = whole.replaceAll(`"${mark}"`, () => make(random.pick([6, 100, 3_000, 20_000])))
  }
  return whole
}

export function badValue(random: Random, target: BadInputTarget, depth: number): unknown {
  switch (random.integer(0, depth > 4 ? 6 : 10)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return random.pick([0, -1, 1, 1.5, 1e308, -0, 2 ** 53, 100, 1_000_000])
    case 3:
    case 4:
    case 5:
      return anyText(random, target)
    case 6:
      return random.pick(Object.values(marks) as [string, ...string[]])
    case 7:
      return []
    case 8:
      return Array.from({ length: random.integer(0, 20) }, () => badValue(random, target, depth + 1))
    case 9:
      return { fields: [{ field: anyText(random, target), direction: random.pick(['asc', 'desc', 'up']) }] }
    default:
      return { [anyText(random, target)]: badValue(random, target, depth + 1) }
  }
}

export function anyText(random: Random, target: BadInputTarget): string {
  const kind = random.integer(0, 9)
  if (kind === 0) return random.pick(target.tokens)
  if (kind === 1) return mutated(random, random.pick(target.tokens))
  if (kind === 2) return randomBytes(random.integer(1, 40)).toString('latin1')
  if (kind === 3)
    return random.pick([
      target.ontologyRid,
      target.apiFamily,
      target.objectType,
      'rank',
      'id',
      'label',
      'tags',
      'names',
    ])
  return random.pick(texts)
}

function mutated(random: Random, text: string): string {
  const at = random.integer(0, text.length)
  return text.slice(0, at) + random.pick(['A', '-', '', 'AAAA', '=']) + text.slice(at + random.integer(0, 2))
}
