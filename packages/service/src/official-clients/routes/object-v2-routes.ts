// The objects of one type, as clients of the API family ask for them by its name.
import {
  aggregateV2Schema,
  type AggregateV2,
  aggregateV2RequestSchema,
  countV2Schema,
  flatObjectSchema,
  flatObjectsPageSchema,
  listParametersSchema,
  pageParametersSchema,
  searchV2RequestSchema,
} from '@octavo/protocol'
import { Type } from 'typebox'
import {
  parseAggregateV2,
  parseListV2,
  parseSearchV2,
  refuseUnknownV2,
} from '../object-set/parse-v2-request.ts'
import { booleanValue, listOfValues } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveAggregate } from '../../read/serve/serve-aggregate.ts'
import { serveLinkedObjects } from '../../read/serve/serve-linked-objects.ts'
import { serveObject } from '../../read/serve/serve-object.ts'
import { operation, type Operation } from '../../http/operation.ts'
import { aggregateErrors, objectPageErrors, queryErrors } from '../../http/errors-of-operations.ts'
import { servePage } from '../../read/serve/serve-page.ts'

const objectV2Parameters = Type.Object({
  select: Type.Optional(Type.Array(Type.String(), { description: 'Property names; all if left out.' })),
  excludeRid: Type.Optional(Type.Boolean()),
})
const listV2Parameters = Type.Object({
  ...pageParametersSchema.properties,
  snapshot: Type.Optional(Type.Boolean()),
  orderBy: listParametersSchema.properties.orderBy,
  ...objectV2Parameters.properties,
})

const described = { kind: 'page', right: 'read' } as const
const listErrors = [...objectPageErrors, 'InvalidSortType', 'InvalidSortOrder'] as const

export const objectV2Operations = (service: PageService): readonly Operation[] => [
  operation(
    'GET /api/v2/ontologies/:ontology/objects/:objectType',
    {
      ...described,
      operationId: 'listObjectsV2',
      summary: 'List the objects of a type, page by page.',
      details: 'Without the limit of revision 1.0, and with all properties.',
      query: listV2Parameters,
      answer: flatObjectsPageSchema,
      errors: listErrors,
    },
    (incoming) => servePage(service, { ...incoming.arrived, parse: () => parseListV2(incoming.query) }),
  ),

  operation(
    'GET /api/v2/ontologies/:ontology/objects/:objectType/:primaryKey',
    {
      ...described,
      operationId: 'getObjectV2',
      summary: 'Read one object by its primary key.',
      query: objectV2Parameters,
      answer: flatObjectSchema,
      hasTag: true,
      errors: ['ObjectTypeNotFound', 'ObjectNotFound', 'PropertiesNotFound'],
    },
    ({ arrived, params, query }) => {
      refuseUnknownV2(query, Object.keys(objectV2Parameters.properties))
      const selected = listOfValues(query, 'select') ?? []
      return serveObject(service, {
        ...arrived,
        primaryKey: params.primaryKey,
        endpoint: 'getObjectV2',
        record: booleanValue(query, 'excludeRid') === true ? 'osdk' : 'osdk-with-rid',
        select: selected.length === 0 ? undefined : selected,
      })
    },
  ),

  operation(
    'POST /api/v2/ontologies/:ontology/objects/:objectType/search',
    {
      ...described,
      operationId: 'searchObjectsV2',
      summary: 'Search the objects of a type, page by page.',
      body: searchV2RequestSchema,
      answer: flatObjectsPageSchema,
      errors: [...objectPageErrors, ...queryErrors, 'UnsupportedCondition'],
    },
    (incoming) =>
      servePage(service, { ...incoming.arrived, parse: () => parseSearchV2(incoming.query, incoming.body) }),
  ),

  operation(
    'POST /api/v2/ontologies/:ontology/objects/:objectType/count',
    {
      ...described,
      operationId: 'countObjectsV2',
      summary: 'Count the objects of a type.',
      answer: countV2Schema,
      errors: ['ObjectTypeNotFound', 'AggregateTooExpensive'],
    },
    async (incoming) => {
      refuseUnknownV2(incoming.query, [])
      const { data } = await serveAggregate(service, {
        ...incoming.arrived,
        parse: () => parseAggregateV2({}, { aggregation: [{ type: 'count' }] }),
      })
      return { count: data[0]?.metrics[0]?.value }
    },
  ),

  operation(
    'POST /api/v2/ontologies/:ontology/objects/:objectType/aggregate',
    {
      ...described,
      operationId: 'aggregateObjectsV2',
      summary: 'Count, add up and group the objects of a type that match.',
      details: 'Always exact, or refused.',
      body: aggregateV2RequestSchema,
      answer: aggregateV2Schema,
      errors: [...aggregateErrors, 'UnsupportedCondition'],
    },
    async (incoming): Promise<AggregateV2> => {
      const aggregated = await serveAggregate(service, {
        ...incoming.arrived,
        parse: () => parseAggregateV2(incoming.query, incoming.body),
      })
      return { accuracy: 'ACCURATE', ...aggregated }
    },
  ),

  operation(
    'GET /api/v2/ontologies/:ontology/objects/:objectType/:primaryKey/links/:link',
    {
      ...described,
      operationId: 'listLinkedObjectsV2',
      summary: 'List the objects that an object is linked to, page by page.',
      query: listV2Parameters,
      answer: flatObjectsPageSchema,
      errors: [...listErrors, 'ObjectNotFound', 'LinkTypeNotFound'],
    },
    (incoming) =>
      serveLinkedObjects(service, {
        ...incoming.arrived,
        primaryKey: incoming.params.primaryKey,
        link: incoming.params.link,
        parse: () => parseListV2(incoming.query),
      }),
  ),
]
