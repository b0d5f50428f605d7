import { snapshotRequestSchema, snapshotSchema } from '@octavo/protocol'
import { serveSnapshot } from '../../read/serve/serve-snapshot.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'

export const snapshotOperations = (service: PageService): readonly Operation[] => [
  operation(
    'POST /api/:apiFamily/v1/snapshots',
    {
      kind: 'read',
      operationId: 'takeSnapshot',
      summary: 'Name the latest state of some object types, or an earlier one, to read all of them in it.',
      details:
        'With `at`, the state that stood at that time; with `version`, that of one object type. Both must still be kept.',
      tag: 'Revision 2.0',
      right: 'read',
      body: snapshotRequestSchema,
      answer: snapshotSchema,
      errors: ['ApiFamilyNotFound', 'ObjectTypeNotFound', 'SnapshotTooOld', 'InvalidParameterValue'],
      example: {
        parameters: { apiFamily: 'people' },
        body: { objectTypes: ['employee', 'department'] },
        answer: {
          snapshotToken: 'AgFhVd2x8Kq0mN3h',
          versions: { employee: '41', department: '7' },
          readableUntil: '2026-05-01T10:30:00Z',
        },
      },
    },
    ({ caller, target, body }) => serveSnapshot(service, { caller, target, body }),
  ),
]
