import { changesPageSchema, changesRequestSchema } from '@octavo/protocol'
import { parseChangesRequest } from '../../read/request/parse-changes-request.ts'
import { serveChanges } from '../../read/serve/serve-changes.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { withoutHurry } from '../abort-signal.ts'
import { operation, type Operation } from '../operation.ts'
import { pagingErrors, queryErrors, snapshotErrors } from '../page-errors.ts'

export const changesOperations = (service: PageService): readonly Operation[] => [
  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/changes',
    {
      kind: 'steps',
      operationId: 'readChanges',
      summary: 'Read what has changed since a state, page by page.',
      details:
        'The changes lead from the state of `fromSnapshotToken` to the latest one: applied to a copy of the first, they make it equal to the ' +
        'second. Each object is named at most once, as it is in the later state. The last page has a `snapshotToken` instead ' +
        'of a `nextPageToken`: keep it with the copy, and send it as the next `fromSnapshotToken`. With `waitSeconds`, the answer waits for ' +
        'a change if there is none.',
      tag: 'Revision 2.0',
      right: 'read',
      body: changesRequestSchema,
      answer: changesPageSchema,
      errors: [
        'ApiFamilyNotFound',
        'ObjectTypeNotFound',
        'PropertiesNotFound',
        'QueryTooLarge',
        ...pagingErrors,
        ...snapshotErrors,
        'ChangesExpired',
        ...queryErrors,
        'LinkedQueryNotSupported',
        'ScanTimedOut',
      ],
      example: {
        parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
        body: { fromSnapshotToken: 'AgFhVd2x8Kq0mN3h', waitSeconds: 20 },
        answer: {
          data: [
            {
              type: 'put',
              primaryKey: '1001',
              object: {
                primaryKey: '1001',
                objectType: 'com.example.object.person',
                title: 'Ada Byron',
                properties: { personId: '1001', name: [{ firstName: 'Ada', lastName: 'Byron' }] },
              },
            },
            { type: 'delete', primaryKey: '1002', reason: 'deleted' },
          ],
          fromVersion: '41',
          toVersion: '43',
          snapshotToken: 'AgFhVd2x8Kq0mN4k',
          totalCount: '2499',
          checksum: '8d4f0e8e6a0f9b21',
        },
      },
    },
    ({ arrived, signal, stopping, reply, query, body }) =>
      serveChanges(service, {
        ...arrived,
        parse: () => parseChangesRequest(query, body),
        whileWaiting: (wait) => withoutHurry(reply.raw, () => wait({ signal, stopping })),
        isGone: () => signal.aborted,
      }),
  ),
]
