// Serves an aggregate: the numbers of each group of the objects that match.
import {
  aggregateRequestSchema,
  limits,
  type AggregateRequest,
  type Aggregation,
  type GroupBy,
  type GroupValue,
  type ScalarValue,
} from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { compareValues } from '../../../src/subject/compare-values.ts'
import {
  durationStart,
  exactAverage,
  widthStart,
  type TriedUnit,
} from '../../../src/subject/exact-numbers.ts'
import { scalarType, valuesOf, type ModelGroup } from './aggregate-steps.ts'
import { matches } from './match-query.ts'
import { thingType, type ModelObject, type State } from './model-data.ts'
import { refuse } from './model-refusal.ts'
import { latestVersion } from './model-store.ts'
import { refuseUnknown } from './read-list-ask.ts'
import { jsonObjectIn, readSearchAsk } from './read-search-ask.ts'
import { withFollowedLinks, withNamedState, type PageParts } from './serve-page.ts'
import type { Steps } from './steps.ts'

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
  const matching = [...state.values()].filter((object) => matches(query, object))
  const objects = steps.aggregatedObjects(matching)
  const isOfAll = query.type === 'empty' && request.groupings.length === 0
  const groups = grouped(steps, objects, request).map((group) => ({
    ...group,
    metrics: request.aggregation.map((item) => ({
      name: nameOf(item),
      ...valueOf(item, group.objects, steps, isOfAll ? state : undefined),
    })),
  }))
  const most = Math.min(
    ...request.groupings.map((each) => (each.type === 'exact' ? each.maxGroupCount : null) ?? Infinity),
  )
  const first = steps.firstGroups(ordered(groups, request), most)
  if (first.groups.length > limits.aggregate.groups)
    refuse('AggregationGroupCountExceededLimit', { limit: 'groups', maximum: limits.aggregate.groups })
  return {
    data: first.groups.map(({ group, metrics }) => ({ group, metrics })),
    ...(first.excludedItems !== undefined && { excludedItems: first.excludedItems }),
    version: String(version),
  }
}

const nameOf = (item: Aggregation): string =>
  item.name ?? (item.type === 'count' ? 'count' : `${item.field}.${item.type}`)

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

/** The value of the group that the object is in; undefined if it is in none. */
function groupValue(grouping: GroupBy, object: ModelObject): GroupValue | undefined {
  const value = object[grouping.field] as ScalarValue | undefined
  if (grouping.type === 'exact') return value ?? null
  if (value === undefined) return undefined
  switch (grouping.type) {
    case 'fixedWidth':
      return widthStart(Number(value), grouping.fixedWidth)
    case 'duration':
      return durationStart(String(value), grouping.unit as TriedUnit)
    case 'ranges': {
      const compared = (other: ScalarValue) => compareValues(scalarType(grouping.field), value, other)
      return grouping.ranges.find(
        ({ startValue, endValue }) =>
          (startValue == null || compared(startValue) >= 0) && (endValue == null || compared(endValue) < 0),
      ) as GroupValue | undefined
    }
    default:
      return grouping satisfies never
  }
}

function grouped(steps: Steps, all: readonly ModelObject[], { groupings }: Request): readonly ModelGroup[] {
  if (groupings.length === 0) return [{ group: {}, metrics: [], objects: all }]
  let objects = all
  for (const grouping of groupings) {
    const includesNull = grouping.type === 'exact' && grouping.includeNullValues === true
    objects = steps.groupedObjects(objects, { field: grouping.field, includesNull })
  }
  const groups = Map.groupBy(objects, (object) => {
    const values = groupings.map((grouping) => [grouping.field, groupValue(grouping, object)] as const)
    return values.some(([, value]) => value === undefined) ? '' : JSON.stringify(Object.fromEntries(values))
  })
  groups.delete('')
  return [...groups].map(([text, members]) => ({
    group: JSON.parse(text) as ModelGroup['group'],
    metrics: [],
    objects: members,
  }))
}

function valueOf(
  item: Aggregation,
  objects: readonly ModelObject[],
  steps: Steps,
  all: State | undefined,
): { readonly value?: ScalarValue } {
  if (item.type === 'count') return { value: objects.length }
  const values = valuesOf(objects, item.field)
  const ends = all === undefined ? values : steps.indexedValues(all, item.field)
  const found = metricOf(item, values, ends, steps)
  return found === undefined ? {} : { value: found }
}

function metricOf(
  { type, field }: Metric,
  values: readonly ScalarValue[],
  ends: readonly ScalarValue[],
  steps: Steps,
): ScalarValue | undefined {
  switch (type) {
    case 'min':
      return ends[0]
    case 'max':
      return ends.at(-1)
    case 'sum':
      return scalarType(field) === 'long' ? steps.sum(values) : Number(steps.sum(values))
    case 'avg':
      return values.length === 0 ? undefined : exactAverage(values)
    case 'exactDistinct':
    case 'approximateDistinct':
      return new Set(values).size
    default:
      return type satisfies never
  }
}

function ordered(groups: readonly ModelGroup[], { aggregation, groupings }: Request): readonly ModelGroup[] {
  const directed = aggregation.findIndex(({ direction }) => direction != null)
  const sign = aggregation[directed]?.direction?.toLowerCase() === 'desc' ? -1 : 1
  const orderedBy = ({ metrics }: ModelGroup) => Number(metrics[directed]?.value)
  return groups.toSorted((a, b) => {
    const byMetric = directed === -1 ? 0 : sign * (orderedBy(a) - orderedBy(b))
    if (byMetric !== 0) return byMetric
    for (const grouping of groupings) {
      const compared = compareGroups(grouping, a.group[grouping.field], b.group[grouping.field])
      if (compared !== 0) return compared
    }
    return 0
  })
}

function compareGroups(grouping: GroupBy, a: GroupValue | undefined, b: GroupValue | undefined): number {
  if (a === b || a == null || b == null) return Number(a == null) - Number(b == null)
  if (typeof a === 'object' || typeof b === 'object') {
    const placeOf = (value: unknown) =>
      grouping.type === 'ranges' ? grouping.ranges.findIndex((range) => same(range, value)) : 0
    return placeOf(a) - placeOf(b)
  }
  return compareValues(scalarType(grouping.field), a, b)
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
