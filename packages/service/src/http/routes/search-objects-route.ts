import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { foundObjectsPageSchema, searchRequestSchema, streamLineSchema } from '@octavo/protocol'
import { parsePageRequest } from '../../read/request/parse-page-request.ts'
import { parseStreamRequest } from '../../read/request/parse-stream-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/page-service.ts'
import { stoppingOf } from '../abort-signal.ts'
import { describedAs } from '../openapi/described-as.ts'
import { objectPageErrors, queryErrors } from '../page-errors.ts'
import { familyTypePath } from '../page-parameters.ts'
import { replyWithPage } from '../page-reply.ts'
import { callerOf } from '../require-right.ts'
import { replyWithStream } from '../stream/stream-reply.ts'
import { wantsStream } from '../stream/wants-stream.ts'

export const searchObjectsRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const stopping = stoppingOf(app)
    app.post<{ Params: { apiFamily: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/objects/types/:objectType/search',
      {
        ...describedAs({
          operationId: 'searchObjects',
          summary: 'Search the objects of a type, page by page.',
          details:
            'With `Accept: application/x-ndjson` the answer is a stream: all pages of a snapshot walk, a record a line, from the `pageToken` on if there is one. A line `page` after each page has a `nextPageToken` with which to go on after a cut, and the last line is `end` or `error`.',
          tag: 'Revision 2.0',
          right: 'read',
          path: familyTypePath,
          body: searchRequestSchema,
          answer: foundObjectsPageSchema,
          answerLine: streamLineSchema,
          errors: ['ApiFamilyNotFound', ...objectPageErrors, ...queryErrors],
          example: {
            parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
            body: {
              query: { type: 'eq', field: 'name:lastName', value: 'Byron' },
              select: ['name'],
              pageSize: 1,
            },
            answer: {
              data: [
                {
                  primaryKey: '1001',
                  objectType: 'com.example.object.person',
                  title: 'Ada Byron',
                  properties: { personId: '1001', name: [{ firstName: 'Ada', lastName: 'Byron' }] },
                },
              ],
              nextPageToken: 'AQFrMTe1kZC0WQm9fYw',
              version: '41',
            },
          },
        }),
        // The body of a request that would be refused is not read.
        onRequest: async (request) => service.admission.refuseEarly(callerOf(request).subject),
      },
      (request, reply) => {
        const target = { kind: 'family', ...request.params } as const
        const input = { endpoint: 'searchObjects', parameters: request.query, body: request.body } as const
        return wantsStream(request.headers.accept)
          ? replyWithStream(
              service,
              { request, reply },
              { target, parse: () => parseStreamRequest(input), stopping },
            )
          : replyWithPage(service, { request, reply }, { target, parse: () => parsePageRequest(input) })
      },
    )
  }
