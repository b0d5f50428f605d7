import type { Random } from '@octavo/model'
import { anyText, badValue } from './bad-values.ts'
import type { BadInputTarget } from './spoilt-ontology.ts'

export function badQueryObject(random: Random, target: BadInputTarget, depth: number): unknown {
  if (random.chance(0.4)) return { type: 'empty' }
  const type = random.pick([
    'empty',
    'eq',
    'lt',
    'in',
    'isNull',
    'prefix',
    'keyword',
    'contains',
    'and',
    'or',
    'not',
    'nothing',
    '__proto__',
  ])
  const value =
    random.chance(0.5) && depth < 8
      ? badQueryObject(random, target, depth + 1)
      : badValue(random, target, depth)
  return {
    type,
    ...(random.chance(0.7) && { field: anyText(random, target) }),
    value: random.chance(0.5) ? value : [value, value],
    ...(random.chance(0.2) && { query: badValue(random, target, depth) }),
  }
}
