import { conditionOf, operatorsOn, operatorsTaking, type Query } from '@octavo/protocol'
import type { Random } from './seeded-random.ts'
import type { GeneratedType, SearchField } from './generate-type.ts'
import { anyTermText, anyValue } from './value-pools.ts'

/** A query with at most this many levels of `and`, `or` and `not` above its conditions. */
export function generateQuery(random: Random, type: GeneratedType, levels: number): Query {
  if (levels === 0 || random.chance(0.3)) return condition(random, type)
  if (random.chance(0.25)) return { type: 'not', value: generateQuery(random, type, levels - 1) }
  const parts = random.chance(0.05) ? 0 : random.integer(1, 3)
  return {
    type: random.pick(['and', 'or']),
    value: Array.from({ length: parts }, () => generateQuery(random, type, levels - 1)),
  }
}

/**
 * Adds a condition on this property to the query, if the property is searchable: this tests ranges of the order's own index.
 */
export function withConditionOn(random: Random, type: GeneratedType, property: string, query: Query): Query {
  const field = type.fields.find((candidate) => candidate.property === property)
  return field === undefined ? query : { type: 'and', value: [conditionOn(random, type, field), query] }
}

function condition(random: Random, type: GeneratedType): Query {
  if (random.chance(0.08)) return { type: 'keyword', query: anyTermText(random) }
  if (random.chance(0.02)) return { type: 'empty' }
  return conditionOn(random, type, anyOf(random, type.fields))
}

function conditionOn(random: Random, type: GeneratedType, field: SearchField): Query {
  const name = `${random.chance(0.1) ? 'properties.' : ''}${field.property}${field.component === undefined ? '' : `:${field.component}`}`
  const value = () => valueFor(random, type, field)
  if (field.terms && random.chance(0.5)) {
    return {
      type: anyOf(random, operatorsTaking('text')),
      field: name,
      value: anyTermText(random),
    }
  }
  if (random.chance(0.15)) return { type: 'isNull', field: name, value: random.chance(0.5) }
  if (random.chance(0.2)) {
    return { type: 'in', field: name, value: Array.from({ length: random.integer(0, 5) }, value) }
  }
  const usable = operatorsOn(field.scalar, field.many)
  const operator = anyOf(
    random,
    operatorsTaking('scalar').filter((each) => usable.includes(each)),
  )
  return conditionOf(operator, name, [value()])
}

const anyOf = <T>(random: Random, values: readonly T[]): T => random.pick(values as [T, ...T[]])

function valueFor(random: Random, { definition }: GeneratedType, { property, scalar }: SearchField) {
  if (property !== definition.primaryKey) return anyValue(random, scalar, { huge: true })
  const day = `18${random.integer(10, 99)}-0${random.integer(1, 9)}-01`
  if (scalar === 'integer') return random.integer(-50_000, 50_000)
  if (scalar === 'long') return String(9_007_199_254_740_000n + BigInt(random.integer(0, 100_003)))
  if (scalar === 'date') return day
  if (scalar === 'timestamp') return `${day}T00:00:00Z`
  return `${random.pick(['k', 'K', '😀', '\uff5e', "o'k "])}${random.integer(0, 100_003)}`
}
