import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { aggregateRequestSchema, aggregateSchema } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageTarget } from '../../catalog/find-object-type.ts'
import { parseAggregateRequest } from '../../read/request/parse-aggregate-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveAggregate } from '../../read/serve/serve-aggregate.ts'
import { abortSignalOf, releaseOnClose } from '../abort-signal.ts'
import { describedAs } from '../openapi/described-as.ts'
import { aggregateErrors } from '../page-errors.ts'
import { exampleOntologyRid, familyTypePath, objectTypePath } from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

const described = {
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

export const aggregateRoutes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answer = (
      request: FastifyRequest<{ Querystring: QueryParameters }>,
      reply: FastifyReply,
      target: PageTarget,
    ) => {
      const signal = abortSignalOf(reply, service.requestTimeoutMs)
      return serveAggregate(service, {
        requestId: request.id,
        caller: callerOf(request),
        target,
        parse: () => parseAggregateRequest(request.query, request.body),
        signal,
        hold: ({ release }) => releaseOnClose(reply, signal, release),
      })
    }

    app.post<{ Params: { ontology: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/v1/ontologies/:ontology/objects/:objectType/aggregate',
      describedAs({
        ...described,
        operationId: 'aggregateObjects',
        tag: 'Revision 1.0',
        path: objectTypePath,
        errors: ['OntologyNotFound', ...aggregateErrors],
        example: {
          parameters: { ontology: exampleOntologyRid, objectType: 'employee' },
          ...exampleOf('department', 'Sales'),
        },
      }),
      (request, reply) => answer(request, reply, { kind: 'ontology', ...request.params }),
    )

    app.post<{ Params: { apiFamily: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/objects/types/:objectType/aggregate',
      describedAs({
        ...described,
        operationId: 'aggregateFamilyObjects',
        tag: 'Revision 2.0',
        path: familyTypePath,
        errors: ['ApiFamilyNotFound', ...aggregateErrors],
        example: {
          parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
          ...exampleOf('name:lastName', 'Byron'),
        },
      }),
      (request, reply) => answer(request, reply, { kind: 'family', ...request.params }),
    )
  }
