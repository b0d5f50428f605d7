import { objectTypeStatisticsSchema } from '@octavo/protocol'
import { findObjectType } from '../../../catalog/find-object-type.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { typeStatistics } from '../../../manage/type-statistics.ts'
import { operation, type Operation } from '../../operation.ts'
import { employees } from '../examples.ts'

export const statisticsOperations = (service: ManageService): readonly Operation[] => {
  const read = typeStatistics(service.database, service.elapsed)
  return [
    operation(
      'GET /manage/v1/ontologies/:ontology/objectTypes/:objectType/statistics',
      {
        kind: 'read',
        operationId: 'getObjectTypeStatistics',
        summary: 'Read what an object type holds: sizes, indexes and how often they were used.',
        details: 'Nothing is counted for it. Sizes may be some seconds old.',
        right: 'read',
        answer: objectTypeStatisticsSchema,
        isUnstable: true,
        errors: ['ObjectTypeNotFound', 'Default:PermissionDenied'],
        example: {
          parameters: employees,
          answer: {
            objectType: 'employee',
            version: '41',
            committedAt: '2026-05-01T09:30:00Z',
            objectCount: 2_500,
            retentionSeconds: 3_600,
            oldestReadable: { version: '12', committedAt: '2026-05-01T08:31:00Z' },
            current: { rowCount: 2_500, byteCount: 1_204_224 },
            history: { rowCount: 310, byteCount: 196_608 },
            changes: { rowCount: 2_890, byteCount: 303_104 },
            indexes: [
              {
                kind: 'primaryKey',
                fields: [{ field: 'employeeId', direction: 'asc' }],
                byteCount: 106_496,
                useCount: 5_120,
              },
            ],
          },
        },
      },
      async (asked) => {
        // Counts would reveal to readers that a policy hides objects.
        const { ontology, type } = await findObjectType(service, asked.caller, asked.target, 'writer')
        const facts = await service.store.catalog.withFreshType(ontology, type, read)
        return { ...facts, retentionSeconds: service.retentionSeconds }
      },
    ),
  ]
}
