// Turns the filters of revision 1.0 into a query, so that both revisions share one query language. Their refusals have error
// names of their own.
import {
  baseTypeName,
  type PropertyDefinition,
  type PropertyType,
  type Query,
  type ScalarType,
} from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { propertiesNotFound } from '../../catalog/properties-not-found.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { canonicalScalar } from '../../base/value/canonical-scalar.ts'
import { valueFromText } from '../../base/value/value-from-text.ts'
import type { PropertyFilter } from './parse-property-filters.ts'

/**
 * Sorts by the names of properties and operators, and by the values, so that the order of the parameters does not change the
 * query (P26).
 */
export function queryOfFilters(type: ObjectType, filters: readonly PropertyFilter[]): Query {
  const byProperty = Map.groupBy(filters, (filter) => filter.property)
  const queries = [...byProperty]
    .toSorted(byName)
    .flatMap(([property, its]) => queriesOfProperty(type, property, its))
  const [only] = queries
  if (only === undefined) return { type: 'empty' }
  return queries.length === 1 ? only : { type: 'and', value: queries }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

function queriesOfProperty(
  type: ObjectType,
  property: string,
  filters: readonly PropertyFilter[],
): readonly Query[] {
  const definition = type.definition.properties[property]
  if (definition === undefined) {
    throw propertiesNotFound(type, [property])
  }
  if (definition.searchable !== true && property !== type.key.property) {
    throw new ServiceError('PropertiesNotFilterable', {
      properties: [property],
      declaration: '"searchable": true',
    })
  }
  // The same operator may have come under both of its prefixes, p. and properties.
  const merged = [...Map.groupBy(filters, (filter) => filter.operator)]
    .toSorted(byName)
    .map(([operator, same]) => ({
      property,
      operator,
      values: same.flatMap((filter) => filter.values).toSorted(),
    }))
  refuseCombination(property, merged)
  return merged.map((filter) => queryOfFilter(filter, definition))
}

const single: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte', 'isNull'])

function refuseCombination(property: string, filters: readonly PropertyFilter[]): void {
  const operators = filters.map((filter) => filter.operator)
  for (const { operator, values } of filters) {
    if (single.has(operator) && values.length > 1) {
      throw new ServiceError('MultiplePropertyValuesNotSupported', { propertyFilter: operator, property })
    }
  }
  if (operators.includes('isNull') && operators.length > 1) {
    throw new ServiceError('InvalidPropertyFiltersCombination', { propertyFilters: operators, property })
  }
  for (const [open, closed] of [
    ['lt', 'lte'],
    ['gt', 'gte'],
  ] as const) {
    const value = (wanted: string) => filters.find((filter) => filter.operator === wanted)?.values[0]
    const [a, b] = [value(open), value(closed)]
    if (a !== undefined && b !== undefined) {
      throw new ServiceError('InvalidRangeQuery', { [open]: a, [closed]: b, field: property })
    }
  }
}

function queryOfFilter(
  { property, operator, values }: PropertyFilter,
  definition: PropertyDefinition,
): Query {
  const notSupported = () =>
    new ServiceError('PropertyFiltersNotSupported', { propertyFilters: [operator], property })
  if (operator === 'isNull') {
    if (isStruct(definition.type)) throw notSupported()
    return { type: 'isNull', field: property, value: isNullValue(property, values[0] ?? '') }
  }
  const item = itemType(definition.type)
  const fits =
    operator === 'contains'
      ? item !== undefined && typeof definition.type !== 'string'
      : definition.type === item
  if (item === undefined || !fits || (item === 'boolean' && single.has(operator))) throw notSupported()
  const parsed = values.map((text) => filterValue({ property, operator, text, type: item }))
  const anyOf = (of: 'eq' | 'contains'): Query => {
    const each = parsed.map((value) => ({ type: of, field: property, value }) as const)
    const [only] = each
    return only !== undefined && each.length === 1 ? only : { type: 'or', value: each }
  }
  switch (operator) {
    case 'eq':
      return parsed.length === 1 ? anyOf('eq') : { type: 'in', field: property, value: parsed }
    case 'contains':
      return anyOf('contains')
    case 'neq':
      // Matches only objects that have a value (P66).
      return {
        type: 'and',
        value: [
          { type: 'isNull', field: property, value: false },
          { type: 'not', value: { type: 'in', field: property, value: parsed } },
        ],
      }
    default:
      return { type: operator, field: property, value: parsed[0] ?? '' }
  }
}

const isStruct = (type: PropertyType): boolean => typeof type !== 'string' && itemType(type) === undefined

/** The scalar type that the property holds, once or many times; undefined for structs. */
function itemType(type: PropertyType): ScalarType | undefined {
  if (typeof type === 'string') return type
  return 'array' in type && typeof type.array === 'string' ? type.array : undefined
}

interface FilterValue {
  readonly property: string
  readonly operator: string
  readonly text: string
  readonly type: ScalarType
}

function filterValue({ property, operator, text, type }: FilterValue): string | number | boolean {
  const value = valueFromText(type, text)
  if (value === undefined || 'problem' in canonicalScalar(type, value)) {
    throw invalidValue({ property, operator, text, expectedType: baseTypeName(type) })
  }
  return value
}

function isNullValue(property: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') {
    throw invalidValue({ property, operator: 'isNull', text, expectedType: 'Boolean' })
  }
  return text === 'true'
}

const invalidValue = (refused: {
  readonly property: string
  readonly operator: string
  readonly text: string
  readonly expectedType: string
}) =>
  new ServiceError('InvalidPropertyFilterValue', {
    expectedType: refused.expectedType,
    propertyFilter: refused.operator,
    propertyFilterValue: refused.text.slice(0, 200),
    property: refused.property,
  })
