import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { countRequestSchema, countSchema } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageTarget } from '../../catalog/find-object-type.ts'
import { parseCountRequest } from '../../read/request/parse-count-request.ts'
import type { PageInput } from '../../read/request/parse-page-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import { serveCount } from '../../read/serve-count.ts'
import type { PageService } from '../../read/page-service.ts'
import { abortSignalOf, releaseOnClose } from '../abort-signal.ts'
import { describedAs } from '../openapi/described-as.ts'
import { filterErrors, queryErrors, snapshotErrors } from '../page-errors.ts'
import { countParameters, exampleOntologyRid, familyTypePath, objectTypePath } from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

const summary = 'Count the objects of a type that match.'
const details =
  'Exact without a filter, and up to 10,000 matches with one; `totalCountIsLowerBound` says that there may be more. ' +
  'The answer names the version that was counted.'
const errors = ['ObjectTypeNotFound', 'PropertiesNotFound', 'QueryTooLarge', ...snapshotErrors] as const
const answer = { totalCount: '2500', version: '41' }

export const countRoutes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const reply = (
      to: { readonly request: FastifyRequest; readonly reply: FastifyReply },
      target: PageTarget,
      input: PageInput,
    ) => {
      const signal = abortSignalOf(to.reply, service.requestTimeoutMs)
      return serveCount(service, {
        requestId: to.request.id,
        caller: callerOf(to.request),
        target,
        parse: () => parseCountRequest(input),
        signal,
        hold: ({ release }) => releaseOnClose(to.reply, signal, release),
      })
    }

    app.post<{ Params: { ontologyRid: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/v1/ontologies/:ontologyRid/objects/:objectType/count',
      describedAs({
        operationId: 'countObjects',
        summary,
        details: `${details} Filters stand in the query string, as for the list.`,
        tag: 'Revision 1.0',
        right: 'read',
        path: objectTypePath,
        query: countParameters,
        answer: countSchema,
        errors: ['OntologyNotFound', ...errors, ...filterErrors],
        example: { parameters: { ontologyRid: exampleOntologyRid, objectType: 'employee' }, answer },
      }),
      (request, itsReply) =>
        reply(
          { request, reply: itsReply },
          { kind: 'rid', ...request.params },
          { endpoint: 'listObjects', parameters: request.query },
        ),
    )

    app.post<{ Params: { apiFamily: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/objects/types/:objectType/count',
      {
        ...describedAs({
          operationId: 'countFamilyObjects',
          summary,
          details,
          tag: 'Revision 2.0',
          right: 'read',
          path: familyTypePath,
          body: countRequestSchema,
          answer: countSchema,
          errors: ['ApiFamilyNotFound', ...errors, ...queryErrors],
          example: {
            parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
            body: { query: { type: 'eq', field: 'name:lastName', value: 'Byron' } },
            answer,
          },
        }),
        // The body of a request that would be refused is not read.
        onRequest: async (request) => service.admission.refuseEarly(callerOf(request).subject),
      },
      (request, itsReply) =>
        reply(
          { request, reply: itsReply },
          { kind: 'family', ...request.params },
          { endpoint: 'searchObjects', parameters: request.query, body: request.body },
        ),
    )
  }
