// Numbers about the objects of a type: counts, and aggregates.
import { aggregateRequestSchema, aggregateSchema, countRequestSchema, countSchema } from '@octavo/protocol'
import { parseAggregateRequest } from '../../read/request/parse-aggregate-request.ts'
import { parseCountRequest } from '../../read/request/parse-search-request.ts'
import { serveAggregate } from '../../read/serve/serve-aggregate.ts'
import { serveCount } from '../../read/serve/serve-count.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import { aggregateErrors, queryErrors, snapshotErrors } from '../errors-of-operations.ts'
import { employees, people } from '../openapi/examples.ts'

const described = { kind: 'page', right: 'read' } as const

/** Both revisions aggregate in the same way. */
const aggregates = [
  {
    address: 'POST /api/v1/ontologies/:ontology/objects/:objectType/aggregate',
    operationId: 'aggregateObjects',
    example: { parameters: employees, field: 'department', value: 'Sales' },
  },
  {
    address: 'POST /api/:apiFamily/v1/objects/types/:objectType/aggregate',
    operationId: 'aggregateFamilyObjects',
    example: { parameters: people, field: 'name:lastName', value: 'Byron' },
  },
] as const

export const countOperations = (service: PageService): readonly Operation[] => [
  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/count',
    {
      ...described,
      operationId: 'countObjects',
      summary: 'Count the objects of a type that match.',
      details:
        'Exact without a filter, and up to 10,000 matches with one; `totalCountIsLowerBound` says that there may be more. ' +
        'The answer names the version that was counted.',
      body: countRequestSchema,
      answer: countSchema,
      errors: [
        'ObjectTypeNotFound',
        'PropertiesNotFound',
        'QueryTooLarge',
        ...snapshotErrors,
        ...queryErrors,
      ],
      example: {
        parameters: people,
        body: { query: { type: 'eq', field: 'name:lastName', value: 'Byron' } },
        answer: { totalCount: '2500', version: '41' },
      },
    },
    ({ arrived, query, body }) =>
      serveCount(service, { ...arrived, parse: () => parseCountRequest(query, body) }),
  ),

  ...aggregates.map(({ address, operationId, example: { parameters, field, value } }) =>
    operation(
      address,
      {
        ...described,
        operationId,
        summary: 'Count, add up and group the objects of a type that match.',
        details:
          'Always exact, and of one state, whose version the answer names. An aggregate that would have to read more objects than the ' +
          'deployment allows is refused with `AggregateTooExpensive`, before it reads any.',
        body: aggregateRequestSchema,
        answer: aggregateSchema,
        errors: aggregateErrors,
        example: {
          parameters,
          body: {
            aggregation: [{ type: 'count', direction: 'DESC' }],
            groupBy: [{ type: 'exact', field, maxGroupCount: 1 }],
          },
          answer: {
            data: [{ group: { [field]: value }, metrics: [{ name: 'count', value: 1200 }] }],
            excludedItems: 1300,
            version: '41',
          },
        },
      },
      ({ arrived, query, body }) =>
        serveAggregate(service, { ...arrived, parse: () => parseAggregateRequest(query, body) }),
    ),
  ),
]
