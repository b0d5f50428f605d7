import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { exportRequestSchema, mediaTypes, streamLineSchema } from '@octavo/protocol'
import { parseExportRequest } from '../../read/request/parse-export-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { stoppingOf } from '../abort-signal.ts'
import { describedAs } from '../openapi/described-as.ts'
import { objectPageErrors, queryErrors } from '../page-errors.ts'
import { familyTypePath } from '../page-parameters.ts'
import { replyWithStream } from '../stream/stream-reply.ts'

export const exportRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const stopping = stoppingOf(app)
    app.post<{ Params: { apiFamily: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/objects/types/:objectType/export',
      describedAs({
        operationId: 'exportObjects',
        summary:
          'Read all objects of a type, or those that match, in one answer: a line each, all of one state.',
        details:
          'The schema describes one line. A line `page` after each page has a `nextPageToken` with which to go on after a cut, and the last line is `end` or `error`.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyTypePath,
        body: exportRequestSchema,
        answer: streamLineSchema,
        answerType: mediaTypes.ndjson,
        errors: ['ApiFamilyNotFound', ...objectPageErrors, ...queryErrors],
        example: {
          parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
          body: { select: ['name'] },
          answer: {
            type: 'object',
            object: {
              primaryKey: '1001',
              objectType: 'com.example.object.person',
              title: 'Ada Byron',
              properties: { personId: '1001', name: [{ firstName: 'Ada', lastName: 'Byron' }] },
            },
          },
        },
      }),
      (request, reply) =>
        replyWithStream(
          service,
          { request, reply },
          {
            target: { kind: 'family', ...request.params },
            parse: () => parseExportRequest(request.query, request.body),
            stopping,
          },
        ),
    )
  }
