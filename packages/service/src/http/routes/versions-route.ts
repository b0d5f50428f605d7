import { objectVersionsPageSchema, versionsParametersSchema } from '@octavo/protocol'
import { parseVersionsRequest } from '../../read/request/parse-list-request.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveVersions } from '../../read/serve/serve-versions.ts'
import { operation, type Operation } from '../operation.ts'
import { pagingErrors } from '../page-errors.ts'

export const versionsOperations = (service: PageService): readonly Operation[] => [
  operation(
    'GET /api/:apiFamily/v1/objects/types/:objectType/objects/:primaryKey/versions',
    {
      kind: 'page',
      operationId: 'listObjectVersions',
      summary: 'List the versions of one object that are kept, newest first.',
      details:
        'A `put` is a state of the object: it began with the commit `version` and ended with the commit `untilVersion`, unless it still stands. ' +
        'A `delete` is a time without the object. `oldestReadable` says where knowledge ends: what had ended by then is not listed.',
      tag: 'Revision 2.0',
      right: 'read',
      query: versionsParametersSchema,
      answer: objectVersionsPageSchema,
      errors: [
        'ApiFamilyNotFound',
        'ObjectTypeNotFound',
        'ObjectNotFound',
        'PropertiesNotFound',
        'ConsistentSnapshotError',
        ...pagingErrors,
      ],
      example: {
        parameters: { apiFamily: 'people', objectType: 'com.example.object.person', primaryKey: '1001' },
        answer: {
          data: [
            { type: 'delete', version: '41', committedAt: '2026-05-01T09:30:00Z' },
            {
              type: 'put',
              version: '17',
              committedAt: '2026-05-01T09:10:00Z',
              untilVersion: '41',
              object: {
                primaryKey: '1001',
                objectType: 'com.example.object.person',
                title: 'Ada Byron',
                properties: { fullName: 'Ada Byron', personId: '1001' },
              },
            },
          ],
          version: '43',
          oldestReadable: { version: '12', committedAt: '2026-05-01T08:31:00Z' },
        },
      },
    },
    (asked) =>
      serveVersions(service, {
        ...asked.arrived,
        primaryKey: asked.params.primaryKey,
        parse: () => parseVersionsRequest(asked.query),
      }),
  ),
]
