// A request names properties. Once its object type is known, its names are replaced with those of the definition.
import type { Query } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { possibleOrders } from '../../catalog/possible-orders.ts'
import { propertiesNotFound } from '../../catalog/properties-not-found.ts'
import { queryOfFilters } from './query-of-filters.ts'
import type { PageEndpoint, PageRequest } from './page-request.ts'

export function resolveNames(request: PageRequest, type: ObjectType): PageRequest {
  const query = withDeclaredNames(request.query, type)
  const names = [
    ...request.orderBy.map((key) => key.property),
    ...request.filters.map((filter) => filter.property),
    ...(request.select ?? []),
  ]
  if (names.length === 0) return { ...request, query }
  refuseComponents(request, type)
  const resolved = resolveProperties(request.endpoint, type, names)
  const filters = request.filters.map((filter, i) => ({
    ...filter,
    property: resolved[request.orderBy.length + i] ?? '',
  }))
  return {
    ...request,
    orderBy: request.orderBy.map(({ direction }, i) => ({ property: resolved[i] ?? '', direction })),
    select: request.select && resolved.slice(request.orderBy.length + request.filters.length),
    query: withFilters(query, filters.length === 0 ? undefined : queryOfFilters(type, filters)),
    filters: [],
  }
}

/** Requests that mean the same are the same (P26), so `properties.rank` is `rank` before a token is bound. */
function withDeclaredNames(query: Query, type: ObjectType): Query {
  if (query.type === 'and' || query.type === 'or') {
    return { type: query.type, value: query.value.map((each) => withDeclaredNames(each, type)) }
  }
  if (query.type === 'not') return { type: 'not', value: withDeclaredNames(query.value, type) }
  if (!('field' in query)) return query
  const [name = '', ...component] = query.field.split(':')
  const property = findProperty('searchObjects', type, name)
  return property === undefined ? query : { ...query, field: [property, ...component].join(':') }
}

/** A component of a struct is no property, and has no order. */
function refuseComponents({ endpoint, orderBy }: PageRequest, type: ObjectType): void {
  const component = orderBy.find(({ property }) => {
    const [name = '', inside] = property.split(':')
    return inside !== undefined && findProperty(endpoint, type, name) !== undefined
  })
  if (component === undefined) return
  throw new ServiceError('PropertiesNotSortable', {
    properties: [component.property],
    possibleOrders: possibleOrders(type),
  })
}

/** A list has a query besides its filters only where a link leads to it. */
function withFilters(query: Query, filters: Query | undefined): Query {
  if (filters === undefined) return query
  return query.type === 'empty' ? filters : { type: 'and', value: [query, filters] }
}

export function resolveProperties(
  endpoint: PageEndpoint,
  type: ObjectType,
  names: readonly string[],
): readonly string[] {
  const found = names.map((name) => findProperty(endpoint, type, name))
  const unknown = names.filter((_name, i) => found[i] === undefined)
  if (unknown.length > 0) {
    throw propertiesNotFound(type, unknown)
  }
  return found.filter((name) => name !== undefined)
}

function findProperty(endpoint: PageEndpoint, type: ObjectType, name: string): string | undefined {
  const { properties } = type.definition
  if (Object.hasOwn(properties, name)) return name
  if (endpoint === 'listObjects') {
    // In URLs, names are matched without regard to case (P67).
    const folded = name.toLowerCase()
    return Object.keys(properties).find((property) => property.toLowerCase() === folded)
  }
  const bare = name.startsWith('properties.') ? name.slice('properties.'.length) : undefined
  return bare !== undefined && Object.hasOwn(properties, bare) ? bare : undefined
}
