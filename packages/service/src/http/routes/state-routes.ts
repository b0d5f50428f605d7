// Whole types in one state, and what has changed since: for readers that keep a copy.
import {
  changesPageSchema,
  changesRequestSchema,
  exportRequestSchema,
  mediaTypes,
  partitionsRequestSchema,
  partitionsSchema,
  snapshotRequestSchema,
  snapshotSchema,
  streamLineSchema,
} from '@octavo/protocol'
import { parseChangesRequest } from '../../read/request/parse-changes-request.ts'
import { parseExportRequest } from '../../read/request/parse-search-request.ts'
import { parsePartitionsRequest } from '../../read/request/parse-search-request.ts'
import { serveChanges } from '../../read/serve/serve-changes.ts'
import { servePartitions } from '../../read/serve/serve-partitions.ts'
import { serveSnapshot } from '../../read/serve/serve-snapshot.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { withoutHurry } from '../abort-signal.ts'
import { operation, type Operation } from '../operation.ts'
import { objectPageErrors, pagingErrors, queryErrors, snapshotErrors } from '../errors-of-operations.ts'
import { replyWithStream } from '../stream/stream-body.ts'
import { aSnapshotToken, people, personWithName } from '../openapi/examples.ts'

export const stateOperations = (service: PageService): readonly Operation[] => [
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
      right: 'read',
      body: partitionsRequestSchema,
      answer: partitionsSchema,
      errors: [
        'ObjectTypeNotFound',
        'PropertiesNotFound',
        'QueryTooLarge',
        ...snapshotErrors,
        ...queryErrors,
        'LinkedQueryNotSupported',
      ],
      example: {
        parameters: people,
        body: { partitionCount: 2 },
        answer: {
          data: [
            { pageToken: 'AwFrMTe1kZC0WQm9fYw', estimatedObjectCount: 1250 },
            { pageToken: 'AwFrMTe1kZC0WQm9fYx', estimatedObjectCount: 1250 },
          ],
          snapshotToken: aSnapshotToken,
          version: '41',
          totalCount: '2500',
          checksum: '8d4f0e8e6a0f9b21',
        },
      },
    },
    ({ arrived, query, body }) =>
      servePartitions(service, { ...arrived, parse: () => parsePartitionsRequest(query, body) }),
  ),

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
      right: 'read',
      body: changesRequestSchema,
      answer: changesPageSchema,
      errors: [
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
        parameters: people,
        body: { fromSnapshotToken: aSnapshotToken, waitSeconds: 20 },
        answer: {
          data: [
            { type: 'put', primaryKey: '1001', object: personWithName },
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

  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/export',
    {
      kind: 'steps',
      operationId: 'exportObjects',
      summary:
        'Read all objects of a type, or those that match, in one answer: a line each, all of one state.',
      details:
        'The schema describes one line. A line `page` after each page has a `nextPageToken` with which to continue after a cut, and the last line is `end` or `error`.',
      right: 'read',
      body: exportRequestSchema,
      answer: streamLineSchema,
      answerType: mediaTypes.ndjson,
      errors: [...objectPageErrors, ...queryErrors],
      example: {
        parameters: people,
        body: { select: ['name'] },
        answer: { type: 'object', object: personWithName },
      },
    },
    ({ arrived, stopping, request, reply, query, body }) =>
      replyWithStream(
        service,
        { request, reply },
        {
          ...arrived,
          parse: () => parseExportRequest(query, body),
          stopping,
        },
      ),
  ),

  operation(
    'POST /api/:apiFamily/v1/snapshots',
    {
      kind: 'read',
      operationId: 'takeSnapshot',
      summary: 'Name the latest state of some object types, or an earlier one, to read all of them in it.',
      details:
        'With `at`, the state that stood at that time; with `version`, that of one object type. Both must still be kept.',
      right: 'read',
      body: snapshotRequestSchema,
      answer: snapshotSchema,
      errors: ['ObjectTypeNotFound', 'SnapshotTooOld', 'InvalidParameterValue'],
      example: {
        parameters: { apiFamily: people.apiFamily },
        body: { objectTypes: ['employee', 'department'] },
        answer: {
          snapshotToken: aSnapshotToken,
          versions: { employee: '41', department: '7' },
          readableUntil: '2026-05-01T10:30:00Z',
        },
      },
    },
    ({ caller, target, body, after }) => serveSnapshot(service, { caller, target, body, after }),
  ),
]
