import { auditPageSchema, auditParametersSchema } from '@octavo/protocol'
import type { ManageService } from '../../../manage/manage-service.ts'
import { serveAudit } from '../../../manage/serve-audit.ts'
import { operation, type Operation } from '../../operation.ts'
import { pagingErrors } from '../../errors-of-operations.ts'
import { exampleOntology } from '../../openapi/examples.ts'

export const auditOperations = (service: ManageService): readonly Operation[] => [
  operation(
    'GET /manage/v1/ontologies/:ontology/audit',
    {
      kind: 'read',
      operationId: 'listAudit',
      summary: 'List who read and changed what in an ontology, newest first.',
      details:
        'For owners. A page may have no data although others follow: so many records are looked at for one page. What was read appears a second or two later.',
      right: 'admin',
      query: auditParametersSchema,
      answer: auditPageSchema,
      isUnstable: true,
      errors: ['Default:PermissionDenied', ...pagingErrors],
      example: {
        parameters: { ...exampleOntology, subject: 'ada' },
        answer: {
          data: [
            {
              occurredAt: '2026-05-01T09:30:00.25Z',
              subject: 'ada',
              action: 'searchObjects',
              objectType: 'employee',
              walkId: '6f2c1d9e440f6f2c',
              mode: 'snapshot',
              endedBy: 'pageSize',
              objectCount: 100,
              byteCount: 18_230,
            },
          ],
          kept: true,
        },
      },
    },
    (incoming) =>
      serveAudit(service, {
        caller: incoming.caller,
        ontology: incoming.params.ontology,
        parameters: incoming.query,
      }),
  ),
]
