import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { countRequestSchema, countSchema } from '@octavo/protocol'
import { parseCountRequest } from '../../read/request/parse-count-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import { serveCount } from '../../read/serve/serve-count.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { abortSignalOf, releaseOnClose } from '../abort-signal.ts'
import { describedAs } from '../openapi/described-as.ts'
import { queryErrors, snapshotErrors } from '../page-errors.ts'
import { familyTypePath } from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

export const countRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post<{ Params: { apiFamily: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/objects/types/:objectType/count',
      describedAs({
        operationId: 'countObjects',
        summary: 'Count the objects of a type that match.',
        details:
          'Exact without a filter, and up to 10,000 matches with one; `totalCountIsLowerBound` says that there may be more. ' +
          'The answer names the version that was counted.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyTypePath,
        body: countRequestSchema,
        answer: countSchema,
        errors: [
          'ApiFamilyNotFound',
          'ObjectTypeNotFound',
          'PropertiesNotFound',
          'QueryTooLarge',
          ...snapshotErrors,
          ...queryErrors,
        ],
        example: {
          parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
          body: { query: { type: 'eq', field: 'name:lastName', value: 'Byron' } },
          answer: { totalCount: '2500', version: '41' },
        },
      }),
      (request, reply) => {
        const signal = abortSignalOf(reply, service.requestTimeoutMs)
        return serveCount(service, {
          requestId: request.id,
          caller: callerOf(request),
          target: { kind: 'family', ...request.params },
          parse: () => parseCountRequest(request.query, request.body),
          signal,
          hold: ({ release }) => releaseOnClose(reply, signal, release),
        })
      },
    )
  }
