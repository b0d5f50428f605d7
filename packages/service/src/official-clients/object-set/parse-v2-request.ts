// The requests of revision v2: query strings and bodies as clients of the API family send them.
import {
  aggregateSetRequestSchema,
  aggregateV2RequestSchema,
  exceededQueryLimit,
  loadObjectsRequestSchema,
  pageSizes,
  searchV2RequestSchema,
  type LoadObjectsRequest,
  type ObjectSet,
  type Query,
} from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { JsonObject } from '../../base/value/json-object.ts'
import { checkOrder, parseOrderBy } from '../../read/request/parse-list-request.ts'
import { shapeChecker } from '../../read/request/check-shape.ts'
import type { PageRequest } from '../../read/request/page-request.ts'
import { parseAggregateRequest, type ParsedAggregate } from '../../read/request/parse-aggregate-request.ts'
import { parsePageSize, parsePageToken, parsePaging } from '../../read/request/parse-paging.ts'
import { fieldsOf } from '../../read/request/parse-search-request.ts'
import {
  booleanValue,
  listOfValues,
  oneValue,
  refuseUnknown,
  refuseUnknownFields,
  type QueryParameters,
} from '../../read/request/query-parameters.ts'
import { checkNesting } from './check-nesting.ts'
import { propertyOf, queryOfWhere } from './query-of-where.ts'

/** Clients send these with every request. Only a branch would change the answer (P330). */
const sentAlways: ReadonlySet<string> = new Set([
  'branch',
  'sdkPackageRid',
  'sdkVersion',
  'executeInMemoryOnly',
])

/** Returns the parameters that mean something. */
export function refuseUnknownV2(
  parameters: QueryParameters,
  expected: readonly string[],
  inBody: readonly string[] = [],
): QueryParameters {
  const left = Object.fromEntries(Object.entries(parameters).filter(([name]) => !sentAlways.has(name)))
  refuseUnknown(Object.keys(left), expected, { inBody })
  const branch = oneValue(parameters, 'branch')
  if (branch === undefined || branch === 'main') return left
  throw new ServiceError('InvalidParameterValue', {
    parameterId: 'branch',
    parameterValue: branch,
    expected: 'the value main, or leave it out: there are no branches',
  })
}

const listNames = ['pageSize', 'pageToken', 'select', 'orderBy', 'snapshot', 'excludeRid']

export function parseListV2(parameters: QueryParameters): PageRequest {
  refuseUnknownV2(parameters, listNames)
  return {
    endpoint: 'listObjectsV2',
    ...parsePaging(parameters, pageSizes.listObjects),
    snapshot: booleanValue(parameters, 'snapshot') ?? false,
    orderBy: parseOrderBy(oneValue(parameters, 'orderBy')),
    select: selectionOf(listOfValues(parameters, 'select')),
    excludesRid: booleanValue(parameters, 'excludeRid'),
    query: { type: 'empty' },
    filters: [],
  }
}

/** Nothing selected means everything, unlike in revision 2.0 (P333). */
const selectionOf = (names: readonly string[] | undefined): readonly string[] | undefined =>
  names === undefined || names.length === 0 ? undefined : names

function bodyOf(parameters: QueryParameters, sent: unknown, names: readonly string[]): JsonObject {
  refuseUnknownV2(parameters, [], names)
  const body = fieldsOf(sent)
  refuseUnknownFields(Object.keys(body), names)
  return body
}

const checkSearch = shapeChecker(searchV2RequestSchema)
const searchNames = Object.keys(searchV2RequestSchema.properties)

export function parseSearchV2(parameters: QueryParameters, sent: unknown): PageRequest {
  const body = bodyOf(parameters, sent, searchNames)
  const paging = pagingOf(body)
  checkNesting({ kind: 'where', value: body['where'] })
  const { where, ...rest } = checkSearch({ ...body, ...paging })
  const query = where ? queryOfWhere(where) : ({ type: 'empty' } as const)
  refuseLarge(query)
  return { ...requestOf('searchObjectsV2', rest, paging), query }
}

const checkLoad = shapeChecker(loadObjectsRequestSchema)
const loadNames = Object.keys(loadObjectsRequestSchema.properties)

interface LoadRequest {
  readonly objectSet: ObjectSet
  /** Without the query, which the object set becomes. */
  readonly request: PageRequest
}

export function parseLoadObjects(parameters: QueryParameters, sent: unknown): LoadRequest {
  const body = bodyOf(parameters, sent, loadNames)
  const paging = pagingOf(body)
  checkNesting({ kind: 'objectSet', value: body['objectSet'] })
  const { objectSet, loadPropertySecurities, includeComputeUsage, ...rest } = checkLoad({
    ...body,
    ...paging,
  })
  refuseTrue({ loadPropertySecurities, includeComputeUsage })
  return { objectSet, request: requestOf('loadObjectSetV2', rest, paging) }
}

const checkAggregate = shapeChecker(aggregateV2RequestSchema)
const aggregateNames = Object.keys(aggregateV2RequestSchema.properties)

export function parseAggregateV2(parameters: QueryParameters, sent: unknown): ParsedAggregate {
  const body = bodyOf(parameters, sent, aggregateNames)
  checkNesting({ kind: 'where', value: body['where'] })
  const { where, aggregation, groupBy } = checkAggregate(body)
  return parseAggregateRequest({}, { query: where ? queryOfWhere(where) : undefined, aggregation, groupBy })
}

const checkAggregateSet = shapeChecker(aggregateSetRequestSchema)
const aggregateSetNames = Object.keys(aggregateSetRequestSchema.properties)

export interface AggregateSetRequest {
  readonly objectSet: ObjectSet
  /** What is asked of the objects of the set, once it is a query. */
  readonly aggregate: (query: Query) => ParsedAggregate
}

export function parseAggregateSet(parameters: QueryParameters, sent: unknown): AggregateSetRequest {
  const body = bodyOf(parameters, sent, aggregateSetNames)
  checkNesting({ kind: 'objectSet', value: body['objectSet'] })
  const { objectSet, aggregation, groupBy } = checkAggregateSet(body)
  return { objectSet, aggregate: (query) => parseAggregateRequest({}, { query, aggregation, groupBy }) }
}

export function refuseLarge(query: PageRequest['query']): void {
  const exceeded = exceededQueryLimit(query)
  if (exceeded !== undefined) throw new ServiceError('QueryTooLarge', exceeded)
}

interface Paging {
  readonly pageSize: number
  readonly pageToken: string | undefined
}

/** These have error names of their own, so they are read before the shape as a whole is checked. */
const pagingOf = (body: JsonObject): Paging => ({
  pageSize: parsePageSize(body['pageSize'] ?? undefined, pageSizes.listObjects),
  pageToken: parsePageToken(body['pageToken'] ?? undefined),
})

type CommonFields = Pick<LoadObjectsRequest, 'orderBy' | 'select' | 'selectV2' | 'excludeRid' | 'snapshot'>

function requestOf(
  endpoint: PageRequest['endpoint'],
  { orderBy, select, selectV2, excludeRid, snapshot }: CommonFields,
  paging: Paging,
): PageRequest {
  if (orderBy?.orderType === 'relevance') {
    throw new ServiceError('Conjure:UnprocessableEntity', {
      path: '/orderBy/orderType',
      problem: 'it must be fields, or be left out: objects have no relevance',
    })
  }
  return {
    endpoint,
    ...paging,
    snapshot: snapshot ?? false,
    orderBy: checkOrder(
      (orderBy?.fields ?? []).map(({ field, direction }) => ({
        property: field,
        direction: direction ?? 'asc',
      })),
    ),
    select: selectionOf([...(select ?? []), ...(selectV2 ?? []).map(propertyOf)]),
    excludesRid: excludeRid ?? undefined,
    query: { type: 'empty' },
    filters: [],
  }
}

function refuseTrue(asked: Readonly<Record<string, boolean | null | undefined>>): void {
  const name = Object.keys(asked).find((each) => asked[each] === true)
  if (name === undefined) return
  throw new ServiceError('Conjure:UnprocessableEntity', {
    path: `/${name}`,
    problem: 'it must be false, or be left out: this service has no such values',
  })
}
