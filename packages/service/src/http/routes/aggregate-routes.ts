import { aggregateRequestSchema, aggregateSchema } from '@octavo/protocol'
import { parseAggregateRequest } from '../../read/request/parse-aggregate-request.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveAggregate } from '../../read/serve/serve-aggregate.ts'
import { operation, type Operation } from '../operation.ts'
import { aggregateErrors } from '../page-errors.ts'
import { exampleOntologyRid } from '../page-parameters.ts'

const described = {
  kind: 'page',
  summary: 'Count, add up and group the objects of a type that match.',
  details:
    'Always exact, and of one state, whose version the answer names. An aggregate that would have to read more objects than the ' +
    'deployment allows is refused with `AggregateTooExpensive`, before it reads any.',
  right: 'read',
  body: aggregateRequestSchema,
  answer: aggregateSchema,
} as const

const exampleOf = (field: string, value: string) => ({
  body: {
    aggregation: [{ type: 'count', direction: 'DESC' }],
    groupBy: [{ type: 'exact', field, maxGroupCount: 1 }],
  },
  answer: {
    data: [{ group: { [field]: value }, metrics: [{ name: 'count', value: 1200 }] }],
    excludedItems: 1300,
    version: '41',
  },
})

export const aggregateOperations = (service: PageService): readonly Operation[] => [
  operation(
    'POST /api/v1/ontologies/:ontology/objects/:objectType/aggregate',
    {
      ...described,
      operationId: 'aggregateObjects',
      tag: 'Revision 1.0',
      errors: ['OntologyNotFound', ...aggregateErrors],
      example: {
        parameters: { ontology: exampleOntologyRid, objectType: 'employee' },
        ...exampleOf('department', 'Sales'),
      },
    },
    (asked) =>
      serveAggregate(service, {
        ...asked.arrived,
        parse: () => parseAggregateRequest(asked.query, asked.body),
      }),
  ),

  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/aggregate',
    {
      ...described,
      operationId: 'aggregateFamilyObjects',
      tag: 'Revision 2.0',
      errors: ['ApiFamilyNotFound', ...aggregateErrors],
      example: {
        parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
        ...exampleOf('name:lastName', 'Byron'),
      },
    },
    (asked) =>
      serveAggregate(service, {
        ...asked.arrived,
        parse: () => parseAggregateRequest(asked.query, asked.body),
      }),
  ),
]
