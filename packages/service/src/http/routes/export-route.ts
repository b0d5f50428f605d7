import { exportRequestSchema, mediaTypes, streamLineSchema } from '@octavo/protocol'
import { parseExportRequest } from '../../read/request/parse-search-request.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import { objectPageErrors, queryErrors } from '../page-errors.ts'
import { replyWithStream } from '../stream/stream-reply.ts'

export const exportOperations = (service: PageService): readonly Operation[] => [
  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/export',
    {
      kind: 'steps',
      operationId: 'exportObjects',
      summary:
        'Read all objects of a type, or those that match, in one answer: a line each, all of one state.',
      details:
        'The schema describes one line. A line `page` after each page has a `nextPageToken` with which to go on after a cut, and the last line is `end` or `error`.',
      tag: 'Revision 2.0',
      right: 'read',
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
    },
    (asked) =>
      replyWithStream(service, asked, {
        ...asked.arrived,
        parse: () => parseExportRequest(asked.query, asked.body),
        stopping: asked.stopping,
      }),
  ),
]
