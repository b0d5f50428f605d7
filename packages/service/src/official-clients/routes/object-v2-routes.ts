// The objects of one type, as clients of the API family ask for them by its name.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  aggregateV2Schema,
  type AggregateV2,
  aggregateV2RequestSchema,
  countV2Schema,
  flatObjectSchema,
  flatObjectsPageSchema,
  headers,
  mediaTypes,
  searchV2RequestSchema,
} from '@octavo/protocol'
import {
  parseAggregateV2,
  parseListV2,
  parseSearchV2,
  refuseUnknownV2,
} from '../object-set/parse-v2-request.ts'
import { booleanValue, listOfValues, type QueryParameters } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveAggregate } from '../../read/serve/serve-aggregate.ts'
import { serveLinkedObjects } from '../../read/serve/serve-linked-objects.ts'
import { serveObject } from '../../read/serve/serve-object.ts'
import { abortSignalOf, releaseOnClose } from '../../http/abort-signal.ts'
import { describedAs } from '../../http/openapi/described-as.ts'
import { aggregateErrors, objectPageErrors, queryErrors } from '../../http/page-errors.ts'
import {
  listV2Parameters,
  objectLinkPath,
  objectTypePath,
  objectV2Parameters,
  objectPath,
} from '../../http/page-parameters.ts'
import { replyWith, replyWithPage } from '../../http/page-reply.ts'
import { callerOf } from '../../http/require-right.ts'

interface OfType {
  readonly Params: { readonly ontology: string; readonly objectType: string }
  readonly Querystring: QueryParameters
}

interface OfObject {
  readonly Params: OfType['Params'] & { readonly primaryKey: string }
  readonly Querystring: QueryParameters
}

interface OfLink {
  readonly Params: OfObject['Params'] & { readonly link: string }
  readonly Querystring: QueryParameters
}

const described = { tag: 'Revision v2', right: 'read' } as const
const listErrors = ['OntologyNotFound', ...objectPageErrors, 'InvalidSortType', 'InvalidSortOrder'] as const

export const objectV2Routes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get<OfType>(
      '/api/v2/ontologies/:ontology/objects/:objectType',
      describedAs({
        ...described,
        operationId: 'listObjectsV2',
        summary: 'List the objects of a type, page by page.',
        details: 'Without the limit of revision 1.0, and with all properties.',
        path: objectTypePath,
        query: listV2Parameters,
        answer: flatObjectsPageSchema,
        errors: listErrors,
      }),
      (request, reply) =>
        replyWithPage(
          service,
          { request, reply },
          { target: { kind: 'ontology', ...request.params }, parse: () => parseListV2(request.query) },
        ),
    )

    app.get<OfObject>(
      '/api/v2/ontologies/:ontology/objects/:objectType/:primaryKey',
      describedAs({
        ...described,
        operationId: 'getObjectV2',
        summary: 'Read one object by its primary key.',
        path: objectPath,
        query: objectV2Parameters,
        answer: flatObjectSchema,
        hasTag: true,
        errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'ObjectNotFound', 'PropertiesNotFound'],
      }),
      async (request, reply) => {
        const { query } = request
        const { primaryKey, ...params } = request.params
        refuseUnknownV2(query, Object.keys(objectV2Parameters.properties))
        const signal = abortSignalOf(reply)
        const selected = listOfValues(query, 'select') ?? []
        const record = await serveObject(service, {
          requestId: request.id,
          caller: callerOf(request),
          target: { kind: 'ontology', ...params },
          primaryKey,
          endpoint: 'getObjectV2',
          record: booleanValue(query, 'excludeRid') === true ? 'flat' : 'flat-with-rid',
          select: selected.length === 0 ? undefined : selected,
          signal,
          hold: ({ release }) => releaseOnClose(reply, signal, release),
        })
        return reply.header(headers.contentType, `${mediaTypes.json}; charset=utf-8`).send(record)
      },
    )

    app.post<OfType>(
      '/api/v2/ontologies/:ontology/objects/:objectType/search',
      describedAs({
        ...described,
        operationId: 'searchObjectsV2',
        summary: 'Search the objects of a type, page by page.',
        path: objectTypePath,
        body: searchV2RequestSchema,
        answer: flatObjectsPageSchema,
        errors: ['OntologyNotFound', ...objectPageErrors, ...queryErrors, 'UnsupportedCondition'],
      }),
      (request, reply) =>
        replyWithPage(
          service,
          { request, reply },
          {
            target: { kind: 'ontology', ...request.params },
            parse: () => parseSearchV2(request.query, request.body),
          },
        ),
    )

    app.post<OfType>(
      '/api/v2/ontologies/:ontology/objects/:objectType/count',
      describedAs({
        ...described,
        operationId: 'countObjectsV2',
        summary: 'Count the objects of a type.',
        path: objectTypePath,
        answer: countV2Schema,
        errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'AggregateTooExpensive'],
      }),
      async (request, reply) => {
        refuseUnknownV2(request.query, [])
        const signal = abortSignalOf(reply, service.requestTimeoutMs)
        const { data } = await serveAggregate(service, {
          requestId: request.id,
          caller: callerOf(request),
          target: { kind: 'ontology', ...request.params },
          parse: () => parseAggregateV2({}, { aggregation: [{ type: 'count' }] }),
          signal,
          hold: ({ release }) => releaseOnClose(reply, signal, release),
        })
        return { count: data[0]?.metrics[0]?.value }
      },
    )

    app.post<OfType>(
      '/api/v2/ontologies/:ontology/objects/:objectType/aggregate',
      describedAs({
        ...described,
        operationId: 'aggregateObjectsV2',
        summary: 'Count, add up and group the objects of a type that match.',
        details: 'Always exact, or refused.',
        path: objectTypePath,
        body: aggregateV2RequestSchema,
        answer: aggregateV2Schema,
        errors: ['OntologyNotFound', ...aggregateErrors, 'UnsupportedCondition'],
      }),
      async (request, reply): Promise<AggregateV2> => {
        const signal = abortSignalOf(reply, service.requestTimeoutMs)
        const aggregated = await serveAggregate(service, {
          requestId: request.id,
          caller: callerOf(request),
          target: { kind: 'ontology', ...request.params },
          parse: () => parseAggregateV2(request.query, request.body),
          signal,
          hold: ({ release }) => releaseOnClose(reply, signal, release),
        })
        return { accuracy: 'ACCURATE', ...aggregated }
      },
    )

    app.get<OfLink>(
      '/api/v2/ontologies/:ontology/objects/:objectType/:primaryKey/links/:link',
      describedAs({
        ...described,
        operationId: 'listLinkedObjectsV2',
        summary: 'List the objects that an object is linked to, page by page.',
        path: objectLinkPath,
        query: listV2Parameters,
        answer: flatObjectsPageSchema,
        errors: [...listErrors, 'ObjectNotFound', 'LinkTypeNotFound'],
      }),
      (request, reply) => {
        const { primaryKey, link, ...params } = request.params
        return replyWith(service, { request, reply }, (arrived) =>
          serveLinkedObjects(service, {
            ...arrived,
            target: { kind: 'ontology', ...params },
            primaryKey,
            link,
            parse: () => parseListV2(request.query),
          }),
        )
      },
    )
  }
