// Serves an aggregate: the numbers of each group of the objects that match.
import { aggregated, compareValues, nameOf } from '@octavo/model'
import {
  aggregateRequestSchema,
  limits,
  type Aggregate,
  type AggregateRequest,
  type Aggregation,
  type GroupBy,
  type ScalarValue,
} from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { matches, scalarType, thingType, type ModelObject } from './model-data.ts'
import { refuse } from './model-refusal.ts'
import { latestVersion } from './model-store.ts'
import { refuseUnknown } from './read-list-ask.ts'
import { jsonObjectIn, readSearchAsk } from './read-search-ask.ts'
import { withFollowedLinks, withNamedState, type PageParts } from './serve-page.ts'

const shape = Compile(aggregateRequestSchema)

type Metric = Exclude<Aggregation, { readonly type: 'count' }>
type Request = AggregateRequest & { readonly groupings: readonly GroupBy[] }

export function serveAggregate(parts: PageParts, objectType: string, text: string, caller: string): object {
  const { steps, store } = parts
  const request = requestIn(text)
  const search = { query: request.query ?? { type: 'empty' }, snapshotToken: request.snapshotToken }
  const ask = withNamedState(parts, readSearchAsk(objectType, JSON.stringify(search)), caller)
  const version = ask.named?.version ?? latestVersion(store)
  const state = steps.aggregatedState(store, version)
  const { query } = withFollowedLinks(parts, ask, { caller, version })
  let objects = steps.aggregatedObjects([...state.values()].filter((object) => matches(query, object)))
  for (const { field } of request.groupings) objects = steps.groupedObjects(objects, field)
  const all = query.type === 'empty' && request.groupings.length === 0 ? state : undefined
  const { aggregation, groupings: groupBy } = request
  const answer = aggregated(thingType, { aggregation, groupBy }, objects, (_type, item, members) =>
    steps.metric(item, members as readonly ModelObject[], { all }),
  )
  if ('tooLarge' in answer) throw new Error('the model holds no numbers that are so large')
  if (answer.data.length > limits.aggregate.groups)
    refuse('AggregationGroupCountExceededLimit', { limit: 'groups', maximum: limits.aggregate.groups })
  return steps.aggregateAnswer({ ...answer, version: String(version) } as Aggregate)
}

function requestIn(text: string): Request {
  if (text === '') refuse('MissingPostBody', { expectedMediaType: 'application/json' })
  const body: unknown = jsonObjectIn(text)
  refuseUnknown(Object.keys(body as object), Object.keys(aggregateRequestSchema.properties))
  // A step opens the snapshot token, whatever it is.
  const { snapshotToken, ...rest } = body as Record<string, unknown>
  if (!shape.Check(rest))
    return refuse('Conjure:UnprocessableEntity', { path: '/aggregation', problem: 'it has another shape' })
  const groupings = rest.groupBy ?? []
  const isTwice = (names: readonly string[]) => new Set(names).size < names.length
  if (isTwice(rest.aggregation.map(nameOf)) || isTwice(groupings.map(({ field }) => field)))
    return refuse('Conjure:UnprocessableEntity', { path: '/aggregation', problem: 'a name is there twice' })
  const directed = rest.aggregation.filter(({ direction }) => direction != null)
  if (directed.length > 1) refuse('InvalidAggregationOrdering', { names: directed.map(nameOf) })
  for (const item of rest.aggregation) if (item.type !== 'count') checkField(item.field, item.type)
  for (const grouping of groupings) checkGrouping(grouping)
  return { ...rest, groupings, snapshotToken } as Request
}

const numbers = ['integer', 'long', 'decimal', 'double']
const times = ['date', 'timestamp']

function checkField(field: string, type: Metric['type'] | GroupBy['type']): void {
  const declared = thingType.properties[field]
  if (declared === undefined)
    return refuse('PropertiesNotFound', { objectType: thingType.apiName, properties: [field] })
  if (!declared.searchable && !declared.sortable)
    refuse('PropertiesNotSearchable', { propertyApiNames: [field], declaration: '"searchable": true' })
  const property = { type, property: field, supported: [] }
  const of = declared.type
  if (typeof of !== 'string')
    return refuse('AggregationMetricNotSupported', {
      ...property,
      propertyBaseType: 'array',
      reason: 'array',
    })
  const fits = {
    sum: numbers.includes(of),
    avg: numbers.includes(of),
    fixedWidth: numbers.includes(of),
    ranges: [...numbers, ...times].includes(of),
    duration: times.includes(of),
    min: of !== 'boolean',
    max: of !== 'boolean',
    exactDistinct: true,
    approximateDistinct: true,
    exact: true,
  }[type]
  if (!fits)
    refuse('AggregationMetricNotSupported', { ...property, propertyBaseType: of, reason: 'propertyType' })
}

function checkGrouping(grouping: GroupBy): void {
  const { field } = grouping
  checkField(field, grouping.type)
  if (grouping.type === 'fixedWidth' && !(grouping.fixedWidth > 0 && Number.isInteger(grouping.fixedWidth)))
    refuse('InvalidAggregationRange', { property: field, problem: 'the width must be whole and above 0' })
  if (grouping.type !== 'ranges') return
  const compared = (a: ScalarValue, b: ScalarValue) => compareValues(scalarType(field), a, b)
  const overlap = grouping.ranges.some((a, i) =>
    grouping.ranges.some((b, j) => {
      if (i >= j) return false
      const isBefore = (x: typeof a, y: typeof a) =>
        x.endValue != null && y.startValue != null && compared(x.endValue, y.startValue) <= 0
      return !isBefore(a, b) && !isBefore(b, a)
    }),
  )
  if (overlap) refuse('InvalidAggregationRange', { property: field, problem: 'the ranges overlap' })
}
