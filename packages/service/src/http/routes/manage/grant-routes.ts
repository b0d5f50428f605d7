import {
  grantRecordSchema,
  grantRequestSchema,
  grantsPageSchema,
  pageSizes,
  pageParametersSchema,
} from '@octavo/protocol'
import { findOntology } from '../../../catalog/find-object-type.ts'
import { isPrincipalName } from '../../../guard/auth/principal-name.ts'
import { ServiceError } from '../../../base/errors/service-error.ts'
import { changeRegistry } from '../../../manage/change-registry.ts'
import { addGrant, readGrant, readGrants, removeGrant, type Principal } from '../../../manage/grants.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { parseGrantRequest } from '../../../read/request/parse-access.ts'
import { serveListPage } from '../../../read/serve/serve-list-page.ts'
import { created } from '../../created.ts'
import { operation, type Operation } from '../../operation.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'

export const grantOperations = (service: ManageService): readonly Operation[] => {
  const { database } = service

  return [
    operation(
      'GET /manage/v1/ontologies/:ontology/grants',
      {
        kind: 'read',
        operationId: 'listGrants',
        summary: 'List who has which role on an ontology.',
        right: 'admin',
        query: pageParametersSchema,
        answer: grantsPageSchema,
        errors: ['Default:PermissionDenied', ...pagingErrors],
      },
      async (asked) => {
        const { rid } = await findOntology(service, asked.caller, asked.target, 'owner')
        return serveListPage(service, {
          ...asked.list,
          within: rid,
          sizes: pageSizes.manage,
          read: (after, count) => readGrants(database, rid, { after, count }),
          positionOf: ({ principal }) => [principal.type, principal.name],
        })
      },
    ),

    ...(['subject', 'group'] as const).flatMap((type) => {
      const url = `/manage/v1/ontologies/:ontology/grants/${type}s/:name` as const
      const ofPrincipal = type === 'subject' ? 'OfSubject' : 'OfGroup'

      return [
        operation(
          `PUT ${url}`,
          {
            kind: 'write',
            operationId: `putGrant${ofPrincipal}`,
            summary: `Grant a role on an ontology to a ${type}, replacing the role it had.`,
            right: 'admin',
            body: grantRequestSchema,
            answer: grantRecordSchema,
            creates: 'ifAbsent',
            errors: ['Default:PermissionDenied', ...changeErrors],
          },
          async (asked) => {
            const {
              caller,
              params: { name },
            } = asked
            const { rid } = await findOntology(service, caller, asked.target, 'owner')
            const grant = parseGrantRequest(asked.body, { type, name })
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
            return created(asked.reply, path, grant)
          },
        ),

        operation(
          `GET ${url}`,
          {
            kind: 'read',
            operationId: `getGrant${ofPrincipal}`,
            summary: `Read which role a ${type} has on an ontology.`,
            right: 'admin',
            answer: grantRecordSchema,
            errors: ['Default:PermissionDenied', 'GrantNotFound'],
          },
          async (asked) => {
            const { name } = asked.params
            const { rid } = await findOntology(service, asked.caller, asked.target, 'owner')
            const principal = { type, name }
            const role = isPrincipalName(name) ? await readGrant(database, rid, principal) : undefined
            if (role === undefined) throw noGrant(principal)
            return { principal, role }
          },
        ),

        operation(
          `DELETE ${url}`,
          {
            kind: 'write',
            operationId: `removeGrant${ofPrincipal}`,
            summary: `Take away the role that a ${type} has on an ontology.`,
            right: 'admin',
            errors: ['Default:PermissionDenied', 'GrantNotFound', ...changeErrors],
          },
          async (asked) => {
            const {
              caller,
              params: { name },
            } = asked
            const { rid } = await findOntology(service, caller, asked.target, 'owner')
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
          },
        ),
      ]
    }),
  ]
}

const noGrant = ({ type, name }: Principal): ServiceError =>
  new ServiceError('GrantNotFound', { principalType: type, principalName: name })
