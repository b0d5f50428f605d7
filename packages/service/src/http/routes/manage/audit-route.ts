import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { auditPageSchema, auditParametersSchema } from '@octavo/protocol'
import type { ManageService } from '../../../manage/manage-service.ts'
import { serveAudit } from '../../../manage/serve-audit.ts'
import type { QueryParameters } from '../../../read/request/query-parameters.ts'
import { describedAs } from '../../openapi/described-as.ts'
import { pagingErrors } from '../../page-errors.ts'
import { exampleOntologyRid, ontologyPath } from '../../page-parameters.ts'
import { callerOf } from '../../require-right.ts'

export const auditRoute =
  (service: ManageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get<{ Params: { ontology: string }; Querystring: QueryParameters }>(
      '/manage/v1/ontologies/:ontology/audit',
      describedAs({
        operationId: 'listAudit',
        summary: 'List who read and changed what in an ontology, newest first.',
        details:
          'For owners. A page may have no data although others follow: so many records are looked at for one page. What was read appears a second or two later.',
        tag: 'Manage',
        right: 'admin',
        path: ontologyPath,
        query: auditParametersSchema,
        answer: auditPageSchema,
        isUnstable: true,
        errors: ['OntologyNotFound', 'Default:PermissionDenied', ...pagingErrors],
        example: {
          parameters: { ontology: exampleOntologyRid, subject: 'ada' },
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
      }),
      (request) =>
        serveAudit(service, {
          caller: callerOf(request),
          ontology: request.params.ontology,
          parameters: request.query,
        }),
    )
  }
