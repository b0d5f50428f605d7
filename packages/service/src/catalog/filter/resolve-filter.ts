// Resolves the query of a request against its object type: fields become columns, values are parsed as their types.
import {
  baseTypeName,
  fieldPattern,
  isCondition,
  nameHelp,
  operatorsOn,
  searchTerms,
  type Condition,
  type OperatorOf,
  type PropertyDefinition,
  type Query,
  type ScalarType,
} from '@octavo/protocol'
import { columnOf, termsColumnOf, type ObjectType } from '../object-type.ts'
import { propertiesNotFound } from '../properties-not-found.ts'
import { invariant } from '../../base/errors/invariant.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { canonicalScalar } from '../../base/value/canonical-scalar.ts'
import {
  allOf,
  anyOf,
  everything,
  noneOf,
  nothing,
  type Comparison,
  type Filter,
  type FilterColumn,
} from './filter.ts'

/** What the conditions of a query that follow a link have become (read/links). */
export type FollowedLinks = ReadonlyMap<Query, Filter>

export function resolveFilter(type: ObjectType, query: Query, links?: FollowedLinks): Filter {
  if (isCondition(query, 'text')) return terms(type, query)
  switch (query.type) {
    case 'empty':
      return everything
    case 'eq':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return comparison(type, query)
    case 'in': {
      const field = resolveField(type, query.field)
      const column = valueColumn(type, field, query.type)
      const values = query.value.map((value) => columnValue(field, column, value))
      return values.length === 0 ? nothing : { kind: 'one-of', column, values: [...new Set(values)] }
    }
    case 'isNull': {
      const missing: Filter = {
        kind: 'missing',
        column: valueColumn(type, resolveField(type, query.field), query.type),
      }
      return query.value ? missing : noneOf(missing)
    }
    case 'contains': {
      const field = resolveField(type, query.field)
      const column = valueColumn(type, field, query.type)
      return { kind: 'compare', column, operator: '=', value: columnValue(field, column, query.value) }
    }
    case 'keyword':
      return keyword(type, query.query)
    case 'and':
      return allOf(query.value.map((part) => resolveFilter(type, part, links)))
    case 'or':
      return anyOf(query.value.map((part) => resolveFilter(type, part, links)))
    case 'not':
      return noneOf(resolveFilter(type, query.value, links))
    case 'linked': {
      const followed = links?.get(query)
      invariant(followed !== undefined, 'link-that-was-not-followed')
      return followed
    }
    default:
      return query satisfies never
  }
}

/** A property, or a component of a struct, that a request names. */
interface Field {
  readonly property: string
  readonly component: string | undefined
  readonly definition: PropertyDefinition
}

const fieldText = new RegExp(fieldPattern)

/** The property that is named so, whatever may be asked of it (P97). */
export function findField(type: ObjectType, text: string): Field {
  if (!fieldText.test(text)) throw new ServiceError('InvalidFields', { properties: [text] })
  const [name = '', component] = text.split(':')
  const { properties } = type.definition
  const bare = name.startsWith('properties.') ? name.slice('properties.'.length) : name
  // If both readings exist, the declared name wins.
  const property = Object.hasOwn(properties, name) ? name : bare
  const definition = Object.hasOwn(properties, property) ? properties[property] : undefined
  if (definition === undefined) {
    throw propertiesNotFound(type, [name])
  }
  const components = componentsOf(definition)
  const known = components?.map((each) => `${property}:${each}`) ?? [property]
  if ((component === undefined) !== (components === undefined)) {
    throw new ServiceError('InvalidFields', { properties: [text], known })
  }
  if (component !== undefined && components?.includes(component) !== true) {
    throw new ServiceError('PropertiesNotFound', {
      objectType: type.apiName,
      properties: [text],
      ...nameHelp([text], known),
    })
  }
  return { property, component, definition }
}

function resolveField(type: ObjectType, text: string): Field {
  const field = findField(type, text)
  const { property, definition } = field
  if (property !== type.key.property && definition.searchable !== true) throw notSearchable(type, property)
  return field
}

function componentsOf({ type }: PropertyDefinition): readonly string[] | undefined {
  if (typeof type === 'string') return undefined
  const item = 'array' in type ? type.array : type
  return typeof item === 'string' ? undefined : Object.keys(item.struct)
}

export const notSearchable = ({ definition, key }: ObjectType, property: string) =>
  new ServiceError('PropertiesNotSearchable', {
    propertyApiNames: [property],
    declaration: '"searchable": true',
    searchable: Object.entries(definition.properties)
      .filter(([name, { searchable }]) => searchable === true || name === key.property)
      .map(([name]) => name)
      .slice(0, mostNamed),
  })

const mostNamed = 20

function notSupported(queryType: string, { property, component = '', definition: { type } }: Field) {
  const isArray = typeof type === 'object' && 'array' in type
  const item = isArray ? type.array : type
  const scalar = typeof item === 'string' ? item : item.struct[component]?.type
  return new ServiceError('PropertyTypesSearchNotSupported', {
    queryType,
    property,
    propertyBaseType: baseTypeName(type),
    supported: scalar === undefined ? [] : [...operatorsOn(scalar, isArray)],
  })
}

/** The column of the primary key. */
export const keyColumnOf = ({ key }: ObjectType): FilterColumn => ({
  name: 'pk',
  scalar: key.scalar,
  many: false,
  start: false,
})

function valueColumn(type: ObjectType, field: Field, queryType: string): FilterColumn {
  const column = columnNamed(type, field.property, field.component)
  if (queryType === 'contains' && !column.many) throw notSupported(queryType, field)
  return column
}

/** The column of a property that queries may name. */
export function columnNamed(type: ObjectType, property: string, component?: string): FilterColumn {
  if (property === type.key.property) return keyColumnOf(type)
  const column = columnOf(type, property, component)
  // Declared, but its values are still being filled.
  if (column === undefined || !column.filled) throw notSearchable(type, property)
  const start = type.indexes.some((index) => index.kind === 'start' && index.keys[0]?.column === column.name)
  return { name: column.name, scalar: column.scalar, many: column.many, start }
}

const columnValue = (field: Field, { scalar }: FilterColumn, value: unknown): string =>
  valueOfType(field, scalar, value)

/** A text that no string can hold (P47) is refused, also where only its terms are needed. */
const stringValue = (field: Field, value: unknown): string => valueOfType(field, 'string', value)

function valueOfType(field: Field, scalar: ScalarType, value: unknown): string {
  const canonical = canonicalScalar(scalar, scalar === 'decimal' ? decimalOfNumber(value) : value)
  if ('problem' in canonical) {
    throw new ServiceError('InvalidPropertyValue', {
      propertyBaseType: baseTypeName(scalar),
      property: field.component === undefined ? field.property : `${field.property}:${field.component}`,
      propertyValue: value,
      problem: canonical.problem,
    })
  }
  return canonical.column
}

/** A number with at most this many digits is the same in every program that reads it as a double. */
const certainDigits = 15

/** Typed clients write numbers in conditions on decimals. One that may have lost digits stays a number, and is refused. */
function decimalOfNumber(value: unknown): unknown {
  if (typeof value !== 'number') return value
  const text = String(value)
  const digits = text.replace(/^-?0*\.?0*/, '').replace('.', '')
  return /^-?[0-9.]+$/.test(text) && digits.length <= certainDigits ? text : value
}

const operators = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const satisfies Record<
  string,
  Comparison
>

function comparison(type: ObjectType, query: Extract<Query, { type: keyof typeof operators }>): Filter {
  const field = resolveField(type, query.field)
  const column = valueColumn(type, field, query.type)
  if (column.scalar === 'boolean' && query.type !== 'eq') throw notSupported(query.type, field)
  return {
    kind: 'compare',
    column,
    operator: operators[query.type],
    value: columnValue(field, column, query.value),
  }
}

function terms(type: ObjectType, query: Extract<Condition, { readonly type: OperatorOf<'text'> }>): Filter {
  const field = resolveField(type, query.field)
  const column = termsColumnOf(type, field.property, field.component)
  if (column === undefined) {
    // The key can be compared without being declared searchable, but its terms are stored only when it is.
    if (field.property === type.key.property && type.key.scalar === 'string')
      throw notSearchable(type, field.property)
    throw notSupported(query.type, field)
  }
  if (!column.filled) throw notSearchable(type, field.property)
  const wanted = searchTerms(stringValue(field, query.value))
  return wanted.length === 0
    ? nothing
    : { kind: 'terms', column: column.name, match: query.type, terms: wanted }
}

/** Every term occurs in at least one searchable string of the object (P93). */
function keyword(type: ObjectType, text: string): Filter {
  const columns = type.columns.filter(
    (column) =>
      column.role === 'terms' && column.filled && type.definition.properties[column.property]?.searchable,
  )
  // A text that no string can hold (P47) matches nothing, and there is no property to name in an error.
  if ('problem' in canonicalScalar('string', text)) return nothing
  const wanted = [...new Set(searchTerms(text))]
  if (wanted.length === 0) return nothing
  const inAnyColumn = (term: string) =>
    anyOf(
      columns.map(
        (column) => ({ kind: 'terms', column: column.name, match: 'allTerms', terms: [term] }) as const,
      ),
    )
  if (wanted.length * columns.length <= mostTermConditions) return allOf(wanted.map(inAnyColumn))
  // The longest terms are probably the rarest: indexes find the objects that have them, and the other terms are checked.
  const byLength = wanted.toSorted((a, b) => b.length - a.length)
  const found = byLength.slice(0, Math.max(1, Math.floor(mostTermConditions / columns.length)))
  const checked = { kind: 'keyword', columns: columns.map((column) => column.name), terms: wanted } as const
  return allOf([...found.map(inAnyColumn), checked])
}

/** Planning time grows with the square of the number of conditions: 340 terms in 100 columns took a minute. */
const mostTermConditions = 100
