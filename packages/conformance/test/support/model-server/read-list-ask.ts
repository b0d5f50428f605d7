// Parses the query string of revision 1.0.
import {
  listParameterNames,
  orderByEntryPattern,
  pageSizes,
  parsePropertyFilterName,
  type Query,
  type ScalarValue,
} from '@octavo/protocol'
import type { ModelAsk, ModelOrderKey } from './model-ask.ts'
import { thingType } from './model-data.ts'
import { refuse } from './model-refusal.ts'

export function readListAsk(objectType: string, parameters: URLSearchParams): ModelAsk {
  refuseUnknown(
    [...parameters.keys()].filter((name) => !/^(properties|p)\./.test(name)),
    listParameterNames,
  )
  return {
    endpoint: 'listObjects',
    sizes: pageSizes.listObjects,
    objectType,
    pageSize: numberIn(one(parameters, 'pageSize')),
    pageToken: one(parameters, 'pageToken'),
    ...snapshotMode(
      parameters.has('snapshot') ? booleanIn(parameters, 'snapshot') : undefined,
      one(parameters, 'snapshotToken'),
      'query',
    ),
    orderBy: readOrder(one(parameters, 'orderBy')),
    select: parameters.has('properties')
      ? parameters
          .getAll('properties')
          .flatMap((text) => text.split(','))
          .map(declared)
      : undefined,
    query: readFilters(parameters),
  }
}

/** A snapshot token selects snapshot mode by itself (P240). */
export function snapshotMode(
  snapshot: boolean | undefined,
  snapshotToken: unknown,
  from: 'query' | 'body',
): Pick<ModelAsk, 'snapshot' | 'snapshotToken'> {
  if (snapshotToken !== undefined && snapshot === false) {
    if (from === 'body')
      refuse('Conjure:UnprocessableEntity', { path: '/snapshot', problem: 'it must be true' })
    refuse('InvalidParameterValue', { parameterId: 'snapshot', parameterValue: 'false' })
  }
  return { snapshot: snapshot ?? snapshotToken !== undefined, snapshotToken }
}

export function refuseUnknown(names: readonly string[], expected: readonly string[]): void {
  const unknownParameters = names.filter((name) => name !== 'preview' && !expected.includes(name))
  if (unknownParameters.length > 0) {
    refuse('UnknownParameter', { unknownParameters, expectedParameters: [...expected] })
  }
}

export function one(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name)
  if (values.length > 1) {
    refuse('InvalidParameterValue', { parameterId: name, parameterValue: values.join(', ') })
  }
  return values[0]
}

export const numberIn = (text: string | undefined): unknown =>
  text !== undefined && /^[0-9]+$/.test(text) ? Number(text) : text

export function booleanIn(parameters: URLSearchParams, name: string): boolean {
  const text = one(parameters, name) ?? 'false'
  if (text !== 'true' && text !== 'false') {
    refuse('InvalidParameterValue', { parameterId: name, parameterValue: text })
  }
  return text === 'true'
}

/** Names in the URL are case-insensitive (P67). */
const declared = (name: string): string =>
  Object.keys(thingType.properties).find((property) => property.toLowerCase() === name.toLowerCase()) ??
  refuse('PropertiesNotFound', { objectType: thingType.apiName, properties: [name] })

const readOrder = (text: string | undefined): readonly ModelOrderKey[] => {
  const keys = (text?.split(',') ?? []).map((entry) => {
    const { property, direction = 'asc' } = new RegExp(orderByEntryPattern).exec(entry)?.groups ?? {}
    if (property === undefined) return refuse('InvalidSortType', { invalidSortType: entry })
    if (direction !== 'asc' && direction !== 'desc') {
      return refuse('InvalidSortOrder', { invalidSortOrder: direction })
    }
    return { property, direction } as const
  })
  return checkedOrder(keys, declared)
}

export function checkedOrder(
  keys: readonly ModelOrderKey[],
  declaredName: (name: string) => string,
): readonly ModelOrderKey[] {
  if (keys.length > 4) refuse('QueryTooLarge', { limit: 'orderKeys', maximum: 4 })
  const named = keys.map((key) => ({ ...key, property: declaredName(key.property) }))
  const names = named.map(({ property }) => property)
  if (new Set(names).size < names.length) refuse('DuplicateOrderBy', { properties: names.slice(0, 1) })
  const asDeclared = named.map(({ property, direction }) => ({ field: property, direction }))
  const isDeclared =
    named.length === 1
      ? thingType.properties[names[0] ?? '']?.sortable === true
      : thingType.orders.some(({ fields }) => JSON.stringify(fields) === JSON.stringify(asDeclared))
  if (named.length > 0 && !isDeclared) {
    refuse('PropertiesNotSortable', { properties: names, declaration: '"sortable": true to the property' })
  }
  return named
}

function readFilters(parameters: URLSearchParams): Query {
  const filters = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    if (!/^(properties|p)\./.test(name)) continue
    const filter = parsePropertyFilterName(name)
    if (filter === undefined) return refuse('MalformedPropertyFilters', { malformedPropertyFilter: name })
    const key = `${declared(filter.property)} ${filter.operator}`
    filters.set(key, [...(filters.get(key) ?? []), value])
  }
  const conditions = [...filters].map(([key, values]) => {
    const [property = '', operator = ''] = key.split(' ')
    const others = [...filters.keys()].filter((each) => each !== key && each.startsWith(`${property} `))
    return condition(
      property,
      operator,
      values,
      others.map((each) => each.split(' ')[1] ?? ''),
    )
  })
  return conditions.length === 0 ? { type: 'empty' } : { type: 'and', value: conditions }
}

function condition(
  property: string,
  operator: string,
  texts: readonly string[],
  beside: readonly string[],
): Query {
  const { type, searchable } = thingType.properties[property] ?? { type: 'string', searchable: false }
  if (!searchable)
    refuse('PropertiesNotFilterable', { properties: [property], declaration: '"searchable": true' })
  if (operator === 'isNull' && beside.length > 0) {
    refuse('InvalidPropertyFiltersCombination', { propertyFilters: ['isNull', ...beside], property })
  }
  if (['lt', 'lte', 'gt', 'gte', 'isNull'].includes(operator) && texts.length > 1) {
    refuse('MultiplePropertyValuesNotSupported', { propertyFilter: operator, property })
  }
  const opposite = { lt: 'lte', lte: 'lt', gt: 'gte', gte: 'gt' }[operator]
  if (opposite !== undefined && beside.includes(opposite)) refuse('InvalidRangeQuery', { field: property })
  const values = texts.map((text): ScalarValue => (type === 'integer' ? Number(text) : text))
  const within = { type: 'in', field: property, value: values } as const
  switch (operator) {
    case 'isNull':
      return { type: 'isNull', field: property, value: texts[0] === 'true' }
    case 'neq':
      return {
        type: 'and',
        value: [
          { type: 'not', value: within },
          { type: 'isNull', field: property, value: false },
        ],
      }
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { type: operator, field: property, value: values[0] ?? '' }
    default:
      return within
  }
}
