import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { grantRecordSchema, grantRequestSchema, grantsPageSchema, pageSizes } from '@octavo/protocol'
import { findOntology } from '../../../catalog/find-object-type.ts'
import { ServiceError } from '../../../base/errors/service-error.ts'
import { changeRegistry } from '../../../manage/change-registry.ts'
import { addGrant, grantRecord, principalOfGrant, readGrants, removeGrant } from '../../../manage/grants.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { parseGrantRequest } from '../../../read/request/parse-access.ts'
import { refuseUnknown, type QueryParameters } from '../../../read/request/query-parameters.ts'
import { serveListPage } from '../../../read/serve-list-page.ts'
import { describedAs } from '../../openapi/described-as.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'
import { grantPath, ontologyPath, pageParameters } from '../../page-parameters.ts'
import { callerOf } from '../../require-right.ts'

interface OfOntology {
  Params: { ontology: string }
  Querystring: QueryParameters
}

export const grantRoutes =
  (service: ManageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { database } = service

    app.post<OfOntology>(
      '/manage/v1/ontologies/:ontology/grants',
      describedAs({
        operationId: 'addGrant',
        summary: 'Grant a role on an ontology to a subject or a group, replacing the role it had.',
        tag: 'Manage',
        right: 'admin',
        path: ontologyPath,
        body: grantRequestSchema,
        answer: grantRecordSchema,
        errors: ['OntologyNotFound', 'Default:PermissionDenied', ...changeErrors],
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), [])
        const caller = callerOf(request)
        const { rid } = await findOntology(service, caller, { kind: 'ontology', ...request.params }, 'owner')
        const grant = parseGrantRequest(request.body)
        const { principal, role } = grant
        await changeRegistry(service, {
          attempt: {
            subject: caller.subject,
            action: 'addGrant',
            ontologyRid: rid,
            target: `${role} ${principal.type} ${principal.name}`,
          },
          work: (transaction) => addGrant(transaction, rid, grant),
        })
        await service.access.recheck()
        return grantRecord(grant)
      },
    )

    app.get<OfOntology>(
      '/manage/v1/ontologies/:ontology/grants',
      describedAs({
        operationId: 'listGrants',
        summary: 'List who has which role on an ontology.',
        tag: 'Manage',
        right: 'admin',
        path: ontologyPath,
        query: pageParameters,
        answer: grantsPageSchema,
        errors: ['OntologyNotFound', 'Default:PermissionDenied', ...pagingErrors],
      }),
      async (request) => {
        const caller = callerOf(request)
        const { rid } = await findOntology(service, caller, { kind: 'ontology', ...request.params }, 'owner')
        return serveListPage(service, {
          caller,
          parameters: request.query,
          endpoint: 'listGrants',
          within: rid,
          sizes: pageSizes.manage,
          read: (after, count) => readGrants(database, rid, { after, count }),
          positionOf: ({ principal }) => [principal.type, principal.name],
        })
      },
    )

    app.delete<{ Params: { ontology: string; grantId: string }; Querystring: QueryParameters }>(
      '/manage/v1/ontologies/:ontology/grants/:grantId',
      describedAs({
        operationId: 'removeGrant',
        summary: 'Remove a grant.',
        tag: 'Manage',
        right: 'admin',
        path: grantPath,
        answer: grantRecordSchema,
        errors: ['OntologyNotFound', 'Default:PermissionDenied', 'GrantNotFound', ...changeErrors],
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), [])
        const caller = callerOf(request)
        const { ontology, grantId } = request.params
        const { rid } = await findOntology(service, caller, { kind: 'ontology', ontology }, 'owner')
        const principal = principalOfGrant(grantId)
        if (principal === undefined) throw new ServiceError('GrantNotFound', { grantId })
        const role = await changeRegistry(service, {
          attempt: {
            subject: caller.subject,
            action: 'removeGrant',
            ontologyRid: rid,
            target: `${principal.type} ${principal.name}`,
          },
          work: async (transaction) => {
            const removed = await removeGrant(transaction, rid, principal)
            if (removed === undefined) throw new ServiceError('GrantNotFound', { grantId })
            return removed
          },
        })
        await service.access.recheck()
        return grantRecord({ principal, role })
      },
    )
  }
