import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  appliedOntologySchema,
  managedOntologiesPageSchema,
  managedOntologySchema,
  ontologyDefinitionSchema,
  pageSizes,
} from '@octavo/protocol'
import type { Caller } from '../../../guard/auth/caller.ts'
import { findOntology, grantedOntologies } from '../../../catalog/find-object-type.ts'
import type { Ontology } from '../../../catalog/ontology.ts'
import { putOntology } from '../../../manage/apply-definitions.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { managedOntology } from '../../../manage/managed-ontology.ts'
import { parseOntologyDefinition } from '../../../read/request/parse-definition.ts'
import { booleanValue, refuseUnknown, type QueryParameters } from '../../../read/request/query-parameters.ts'
import { inMemory, serveListPage } from '../../../read/serve/serve-list-page.ts'
import { created } from '../../created.ts'
import { describedAs } from '../../openapi/described-as.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'
import { dryRunParameters, ontologyPath, pageParameters } from '../../page-parameters.ts'
import { preconditionOf } from '../../precondition-of.ts'
import { callerOf } from '../../require-right.ts'

export const managedOntologyRoutes =
  (service: ManageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const shownTo = async (caller: Caller, ontologies: readonly Ontology[]) => {
      const roles = await service.access.roles(caller)
      return ontologies.map((ontology) => managedOntology(ontology, roles.get(ontology.rid) ?? 'reader'))
    }

    app.get<{ Querystring: QueryParameters }>(
      '/manage/v1/ontologies',
      describedAs({
        operationId: 'listManagedOntologies',
        summary: 'List the ontologies on which the caller has a role, with that role and their API families.',
        tag: 'Manage',
        right: 'read',
        query: pageParameters,
        answer: managedOntologiesPageSchema,
        errors: pagingErrors,
      }),
      (request) => {
        const caller = callerOf(request)
        return serveListPage(service, {
          caller,
          parameters: request.query,
          query: pageParameters,
          endpoint: 'listManagedOntologies',
          within: '',
          sizes: pageSizes.manage,
          ...inMemory(
            async () => shownTo(caller, await grantedOntologies(service, caller)),
            ({ rid }) => rid,
          ),
        })
      },
    )

    app.get<{ Params: { ontology: string }; Querystring: QueryParameters }>(
      '/manage/v1/ontologies/:ontology',
      describedAs({
        operationId: 'getManagedOntology',
        summary: 'Read one ontology, with its API families and the role of the caller.',
        tag: 'Manage',
        right: 'read',
        path: ontologyPath,
        answer: managedOntologySchema,
        hasTag: true,
        errors: ['OntologyNotFound'],
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), [])
        const caller = callerOf(request)
        const ontology = await findOntology(service, caller, { kind: 'ontology', ...request.params })
        return (await shownTo(caller, [ontology]))[0]
      },
    )

    app.put<{ Params: { ontology: string }; Querystring: QueryParameters }>(
      '/manage/v1/ontologies/:ontology',
      describedAs({
        operationId: 'applyOntology',
        summary: 'Create an ontology, or change its texts and API families.',
        details: 'The caller becomes the owner of a new ontology. Only an owner may change an existing one.',
        tag: 'Manage',
        right: 'admin',
        path: ontologyPath,
        query: dryRunParameters,
        body: ontologyDefinitionSchema,
        answer: appliedOntologySchema,
        creates: 'ifAbsent',
        hasPrecondition: true,
        errors: [
          'InvalidDefinition',
          'OntologyAlreadyExists',
          'PreconditionFailed',
          'Default:PermissionDenied',
          ...changeErrors,
        ],
      }),
      async (request, reply) => {
        refuseUnknown(Object.keys(request.query), ['dryRun'])
        const dryRun = booleanValue(request.query, 'dryRun') ?? false
        const applied = await putOntology(service, callerOf(request), {
          named: request.params.ontology,
          definition: parseOntologyDefinition(request.body),
          dryRun,
          precondition: preconditionOf(request),
        })
        if (dryRun) return { dryRun, ...applied }
        if (applied.outcome !== 'created') return applied
        return created(reply, `/manage/v1/ontologies/${applied.rid}`, applied)
      },
    )
  }
