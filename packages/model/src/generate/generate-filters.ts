// Random filters of revision 1.0, and their meaning according to the specification (P62 to P66).
import type { Random } from './seeded-random.ts'
import { compareValues } from '../contract/compare-values.ts'
import type { Properties } from '../contract/model-type.ts'
import type { GeneratedType, SearchField } from './generate-type.ts'
import { anyValue } from './value-pools.ts'

export interface GeneratedFilter {
  readonly field: SearchField
  readonly operator: 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte' | 'isNull' | 'contains'
  /** As written in the query string. */
  readonly values: readonly string[]
}

export function generateFilters(random: Random, { fields }: GeneratedType): readonly GeneratedFilter[] {
  const usable = fields.filter(({ property, component }) => component === undefined && property !== 'id')
  const chosen = usable.filter(() => random.chance(2 / usable.length))
  return chosen.flatMap((field) => filtersOn(random, field))
}

function filtersOn(random: Random, field: SearchField): readonly GeneratedFilter[] {
  const value = () => String(anyValue(random, field.scalar))
  const several = () => Array.from({ length: random.integer(1, 3) }, value)
  if (random.chance(0.2)) return [{ field, operator: 'isNull', values: [random.pick(['true', 'false'])] }]
  if (field.many) return [{ field, operator: 'contains', values: several() }]
  if (field.scalar === 'boolean' || random.chance(0.4)) {
    return [{ field, operator: random.pick(['eq', 'neq']), values: several() }]
  }
  const least = { field, operator: random.pick(['gt', 'gte'] as const), values: [value()] }
  const most = { field, operator: random.pick(['lt', 'lte'] as const), values: [value()] }
  return random.chance(0.5) ? [least, most] : [random.chance(0.5) ? least : most]
}

export function matchesFilters(filters: readonly GeneratedFilter[], object: Properties): boolean {
  return filters.every(({ field: { property, scalar }, operator, values }) => {
    const held = [object[property] ?? []].flat()
    if (operator === 'isNull') return (held.length === 0) === (values[0] === 'true')
    // Booleans are compared as numbers.
    const signs = (text: string) =>
      held.map((one) => compareValues(scalar, one, scalar === 'boolean' ? text === 'true' : text))
    switch (operator) {
      case 'eq':
      case 'contains':
        return values.some((text) => signs(text).includes(0))
      case 'neq':
        return held.length > 0 && values.every((text) => !signs(text).includes(0))
      case 'lt':
        return values.every((text) => signs(text).some((sign) => sign < 0))
      case 'lte':
        return values.every((text) => signs(text).some((sign) => sign <= 0))
      case 'gt':
        return values.every((text) => signs(text).some((sign) => sign > 0))
      case 'gte':
        return values.every((text) => signs(text).some((sign) => sign >= 0))
      default:
        return operator satisfies never
    }
  })
}
