// What is aggregated: the search that finds the objects, the metrics, and by what the objects are grouped.
import { aggregateRequestSchema, type Aggregation, type GroupBy, type OrderDirection } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { shapeChecker } from './check-shape.ts'
import type { PageRequest } from './page-request.ts'
import { declaredFields, parseOptionalQuery } from './parse-search-request.ts'
import type { QueryParameters } from './query-parameters.ts'

const checkShape = shapeChecker(aggregateRequestSchema)

export interface ParsedAggregate {
  readonly request: PageRequest
  readonly metrics: readonly ParsedMetric[]
  readonly groupBy: readonly GroupBy[]
}

export interface ParsedMetric {
  readonly name: string
  readonly type: Aggregation['type']
  /** Only `count` has none. */
  readonly field: string | undefined
  readonly direction: OrderDirection | undefined
}

export function parseAggregateRequest(parameters: QueryParameters, body: unknown): ParsedAggregate {
  const fields = declaredFields(parameters, body, aggregateRequestSchema)
  const { snapshotToken, ...rest } = fields
  // The fields of a search have errors with names of their own, so they are read before the shape as a whole is checked.
  const request = parseOptionalQuery({ query: fields['query'], snapshotToken })
  const { aggregation, groupBy } = checkShape(rest)
  const metrics = aggregation.map(parseMetric)
  refuseRepeated(
    metrics.map(({ name }) => name),
    (i) => `/aggregation/${i}/name`,
  )
  const ordered = metrics.filter(({ direction }) => direction !== undefined)
  if (ordered.length > 1) {
    throw new ServiceError('InvalidAggregationOrdering', { names: ordered.map(({ name }) => name) })
  }
  return { request: { ...request, snapshot: true }, metrics, groupBy: groupBy ?? [] }
}

function parseMetric(item: Aggregation): ParsedMetric {
  const field = item.type === 'count' ? undefined : item.field
  return {
    name: item.name ?? (field === undefined ? item.type : `${field}.${item.type}`),
    type: item.type,
    field,
    direction: item.direction?.toLowerCase() as OrderDirection | undefined,
  }
}

/** Names are the keys of an answer, so no two may be the same. */
export function refuseRepeated(names: readonly string[], path: (i: number) => string): void {
  const again = names.findIndex((name, i) => names.indexOf(name) < i)
  if (again < 0) return
  throw new ServiceError('Conjure:UnprocessableEntity', {
    path: path(again),
    problem: `${names[again]} is there twice: use each name once`,
  })
}
