// Object sets: what the API family's client for TypeScript asks for, whatever it is asked.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  aggregateV2Schema,
  type AggregateV2,
  aggregateSetRequestSchema,
  loadedMixedPageSchema,
  loadedObjectsPageSchema,
  loadObjectsRequestSchema,
} from '@octavo/protocol'
import { parseAggregateSet, parseLoadObjects } from '../object-set/parse-v2-request.ts'
import { resolveObjectSet } from '../object-set/resolve-object-set.ts'
import { serveObjectSet } from '../object-set/serve-object-set.ts'
import { writePage } from '../../read/page/write-page.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveAggregate } from '../../read/serve/serve-aggregate.ts'
import { abortSignalOf, releaseOnClose } from '../../http/abort-signal.ts'
import { describedAs } from '../../http/openapi/described-as.ts'
import { aggregateErrors, objectPageErrors, queryErrors } from '../../http/page-errors.ts'
import { ontologyPath } from '../../http/page-parameters.ts'
import { replyWith } from '../../http/page-reply.ts'
import { callerOf } from '../../http/require-right.ts'

interface OfOntology {
  readonly Params: { readonly ontology: string }
  readonly Querystring: QueryParameters
}

/** What clients look for on every page, and what is always the same here. */
const loaded = ',"propertySecurities":[]'
const loadedMixed = `${loaded},"interfaceToObjectTypeMappings":{},"interfaceToObjectTypeMappingsV2":{}`

const loads = [
  {
    url: '/api/v2/ontologies/:ontology/objectSets/loadObjects',
    operationId: 'loadObjectSetV2',
    summary: 'Load the objects of an object set, page by page.',
    answer: loadedObjectsPageSchema,
    constants: loaded,
  },
  {
    url: '/api/v2/ontologies/:ontology/objectSets/loadObjectsMultipleObjectTypes',
    operationId: 'loadObjectSetOfSeveralTypesV2',
    summary:
      'The same, for clients that do not know the type of the objects. The set must still be of one type.',
    answer: loadedMixedPageSchema,
    constants: loadedMixed,
  },
] as const

const setErrors = [
  'OntologyNotFound',
  'ObjectNotFound',
  'UnsupportedObjectSet',
  'UnsupportedCondition',
] as const

export const objectSetRoutes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { url, operationId, summary, answer, constants } of loads) {
      app.post<OfOntology>(
        url,
        describedAs({
          operationId,
          summary,
          details:
            'A set is `base`, `filter`, `static`, `searchAround`, or a `union`, `intersect` or `subtract` of sets of one type.',
          tag: 'Revision v2',
          right: 'read',
          path: ontologyPath,
          body: loadObjectsRequestSchema,
          answer,
          errors: [...setErrors, ...objectPageErrors, ...queryErrors],
        }),
        (request, reply) =>
          replyWith(service, { request, reply }, (arrived) =>
            serveObjectSet(service, {
              ...arrived,
              target: { kind: 'ontology', ...request.params },
              parse: () => parseLoadObjects(request.query, request.body),
              write: (rows, envelope) => writePage(rows, envelope, constants),
            }),
          ),
      )
    }

    app.post<OfOntology>(
      '/api/v2/ontologies/:ontology/objectSets/aggregate',
      describedAs({
        operationId: 'aggregateObjectSetV2',
        summary: 'Count, add up and group the objects of an object set.',
        details: 'Always exact, or refused.',
        tag: 'Revision v2',
        right: 'read',
        path: ontologyPath,
        body: aggregateSetRequestSchema,
        answer: aggregateV2Schema,
        errors: [...setErrors, ...aggregateErrors],
      }),
      async (request, reply): Promise<AggregateV2> => {
        const signal = abortSignalOf(reply, service.requestTimeoutMs)
        const caller = callerOf(request)
        const target = { kind: 'ontology', ...request.params } as const
        const { objectSet, aggregate } = parseAggregateSet(request.query, request.body)
        const { objectType, query } = await resolveObjectSet(service, { caller, target }, objectSet)
        const aggregated = await serveAggregate(service, {
          requestId: request.id,
          caller,
          target: { ...target, objectType },
          parse: () => aggregate(query),
          signal,
          hold: ({ release }) => releaseOnClose(reply, signal, release),
        })
        return { accuracy: 'ACCURATE', ...aggregated }
      },
    )
  }
