import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { grantRecordSchema, grantRequestSchema, grantsPageSchema, pageSizes } from '@octavo/protocol'
import { findOntology } from '../../../catalog/find-object-type.ts'
import { isPrincipalName } from '../../../guard/auth/principal-name.ts'
import { ServiceError } from '../../../base/errors/service-error.ts'
import { changeRegistry } from '../../../manage/change-registry.ts'
import { addGrant, readGrant, readGrants, removeGrant, type Principal } from '../../../manage/grants.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { parseGrantRequest } from '../../../read/request/parse-access.ts'
import { refuseUnknown, type QueryParameters } from '../../../read/request/query-parameters.ts'
import { serveListPage } from '../../../read/serve/serve-list-page.ts'
import { created } from '../../created.ts'
import { describedAs } from '../../openapi/described-as.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'
import { grantPath, ontologyPath, pageParameters } from '../../page-parameters.ts'
import { callerOf } from '../../require-right.ts'

interface OfOntology {
  Params: { ontology: string }
  Querystring: QueryParameters
}

interface OfPrincipal {
  Params: { ontology: string; name: string }
  Querystring: QueryParameters
}

export const grantRoutes =
  (service: ManageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { database } = service

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
          query: pageParameters,
          endpoint: 'listGrants',
          within: rid,
          sizes: pageSizes.manage,
          read: (after, count) => readGrants(database, rid, { after, count }),
          positionOf: ({ principal }) => [principal.type, principal.name],
        })
      },
    )

    for (const type of ['subject', 'group'] as const) {
      const url = `/manage/v1/ontologies/:ontology/grants/${type}s/:name`
      const ofPrincipal = type === 'subject' ? 'OfSubject' : 'OfGroup'

      app.put<OfPrincipal>(
        url,
        describedAs({
          operationId: `putGrant${ofPrincipal}`,
          summary: `Grant a role on an ontology to a ${type}, replacing the role it had.`,
          tag: 'Manage',
          right: 'admin',
          path: grantPath,
          body: grantRequestSchema,
          answer: grantRecordSchema,
          creates: 'ifAbsent',
          errors: ['OntologyNotFound', 'Default:PermissionDenied', ...changeErrors],
        }),
        async (request, reply) => {
          refuseUnknown(Object.keys(request.query), [])
          const caller = callerOf(request)
          const { ontology, name } = request.params
          const { rid } = await findOntology(service, caller, { kind: 'ontology', ontology }, 'owner')
          const grant = parseGrantRequest(request.body, { type, name })
          const isNew = await changeRegistry(service, {
            attempt: {
              subject: caller.subject,
              action: 'putGrant',
              ontologyRid: rid,
              details: grant,
            },
            work: (transaction) => addGrant(transaction, rid, grant),
          })
          await service.access.recheck()
          if (!isNew) return grant
          const path = `/manage/v1/ontologies/${rid}/grants/${type}s/${encodeURIComponent(name)}`
          return created(reply, path, grant)
        },
      )

      app.get<OfPrincipal>(
        url,
        describedAs({
          operationId: `getGrant${ofPrincipal}`,
          summary: `Read which role a ${type} has on an ontology.`,
          tag: 'Manage',
          right: 'admin',
          path: grantPath,
          answer: grantRecordSchema,
          errors: ['OntologyNotFound', 'Default:PermissionDenied', 'GrantNotFound'],
        }),
        async (request) => {
          refuseUnknown(Object.keys(request.query), [])
          const { ontology, name } = request.params
          const { rid } = await findOntology(
            service,
            callerOf(request),
            { kind: 'ontology', ontology },
            'owner',
          )
          const principal = { type, name }
          const role = isPrincipalName(name) ? await readGrant(database, rid, principal) : undefined
          if (role === undefined) throw noGrant(principal)
          return { principal, role }
        },
      )

      app.delete<OfPrincipal>(
        url,
        describedAs({
          operationId: `removeGrant${ofPrincipal}`,
          summary: `Take away the role that a ${type} has on an ontology.`,
          tag: 'Manage',
          right: 'admin',
          path: grantPath,
          errors: ['OntologyNotFound', 'Default:PermissionDenied', 'GrantNotFound', ...changeErrors],
        }),
        async (request, reply) => {
          refuseUnknown(Object.keys(request.query), [])
          const caller = callerOf(request)
          const { ontology, name } = request.params
          const { rid } = await findOntology(service, caller, { kind: 'ontology', ontology }, 'owner')
          const principal = { type, name }
          if (!isPrincipalName(name)) throw noGrant(principal)
          await changeRegistry(service, {
            attempt: {
              subject: caller.subject,
              action: 'removeGrant',
              ontologyRid: rid,
              details: { principal },
            },
            work: async (transaction) => {
              if (!(await removeGrant(transaction, rid, principal))) throw noGrant(principal)
            },
          })
          await service.access.recheck()
          return reply.code(204).send()
        },
      )
    }
  }

const noGrant = ({ type, name }: Principal): ServiceError =>
  new ServiceError('GrantNotFound', { principalType: type, principalName: name })
