import { partitionsRequestSchema, partitionsSchema } from '@octavo/protocol'
import { parsePartitionsRequest } from '../../read/request/parse-search-request.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { servePartitions } from '../../read/serve/serve-partitions.ts'
import { operation, type Operation } from '../operation.ts'
import { queryErrors, snapshotErrors } from '../page-errors.ts'

export const partitionsOperations = (service: PageService): readonly Operation[] => [
  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/partitions',
    {
      kind: 'page',
      operationId: 'partitionObjects',
      summary: 'Divide the objects of a type into partitions, so that several readers share one state.',
      details:
        'Each partition is a page token: search with it, with the `snapshotToken` of this answer, and with the same `query` and ' +
        '`select`, until no `nextPageToken` follows. Together the partitions have every object exactly once, in the order of the ' +
        'primary key.',
      tag: 'Revision 2.0',
      right: 'read',
      body: partitionsRequestSchema,
      answer: partitionsSchema,
      errors: [
        'ApiFamilyNotFound',
        'ObjectTypeNotFound',
        'PropertiesNotFound',
        'QueryTooLarge',
        ...snapshotErrors,
        ...queryErrors,
        'LinkedQueryNotSupported',
      ],
      example: {
        parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
        body: { partitionCount: 2 },
        answer: {
          data: [
            { pageToken: 'AwFrMTe1kZC0WQm9fYw', estimatedObjectCount: 1250 },
            { pageToken: 'AwFrMTe1kZC0WQm9fYx', estimatedObjectCount: 1250 },
          ],
          snapshotToken: 'AgFhVd2x8Kq0mN3h',
          version: '41',
          totalCount: '2500',
          checksum: '8d4f0e8e6a0f9b21',
        },
      },
    },
    (asked) =>
      servePartitions(service, {
        ...asked.arrived,
        parse: () => parsePartitionsRequest(asked.query, asked.body),
      }),
  ),
]
