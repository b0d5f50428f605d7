import {
  appliedOntologySchema,
  managedOntologiesPageSchema,
  managedOntologySchema,
  ontologyDefinitionSchema,
  pageSizes,
  pageParametersSchema,
} from '@octavo/protocol'
import type { Caller } from '../../../guard/auth/caller.ts'
import { findOntology, grantedOntologies } from '../../../catalog/find-object-type.ts'
import type { Ontology } from '../../../catalog/ontology.ts'
import { putOntology } from '../../../manage/apply-definitions.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { managedOntology } from '../../../manage/managed-ontology.ts'
import { parseOntologyDefinition } from '../../../read/request/parse-definition.ts'
import { booleanValue } from '../../../read/request/query-parameters.ts'
import { inMemory, serveListPage } from '../../../read/serve/serve-list-page.ts'
import { created } from '../../created.ts'
import { operation, type Operation } from '../../operation.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'
import { dryRunParameters } from '../../page-parameters.ts'
import { preconditionOf } from '../../precondition-of.ts'

export const managedOntologyOperations = (service: ManageService): readonly Operation[] => {
  const shownTo = async (caller: Caller, ontologies: readonly Ontology[]) => {
    const roles = await service.access.roles(caller)
    return ontologies.map((ontology) => managedOntology(ontology, roles.get(ontology.rid) ?? 'reader'))
  }
  return [
    operation(
      'GET /manage/v1/ontologies',
      {
        kind: 'read',
        operationId: 'listManagedOntologies',
        summary: 'List the ontologies on which the caller has a role, with that role and their API families.',
        right: 'read',
        query: pageParametersSchema,
        answer: managedOntologiesPageSchema,
        errors: pagingErrors,
      },
      ({ caller, list }) =>
        serveListPage(service, {
          ...list,
          within: '',
          sizes: pageSizes.manage,
          ...inMemory(
            async () => shownTo(caller, await grantedOntologies(service, caller)),
            ({ rid }) => rid,
          ),
        }),
    ),

    operation(
      'GET /manage/v1/ontologies/:ontology',
      {
        kind: 'read',
        operationId: 'getManagedOntology',
        summary: 'Read one ontology, with its API families and the role of the caller.',
        right: 'read',
        answer: managedOntologySchema,
        hasTag: true,
      },
      async ({ caller, target }) => {
        const ontology = await findOntology(service, caller, target)
        return (await shownTo(caller, [ontology]))[0]
      },
    ),

    operation(
      'PUT /manage/v1/ontologies/:ontology',
      {
        kind: 'write',
        operationId: 'applyOntology',
        summary: 'Create an ontology, or change its texts and API families.',
        details: 'The caller becomes the owner of a new ontology. Only an owner may change an existing one.',
        right: 'admin',
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
      },
      async (asked) => {
        const dryRun = booleanValue(asked.query, 'dryRun') ?? false
        const applied = await putOntology(service, asked.caller, {
          named: asked.params.ontology,
          definition: parseOntologyDefinition(asked.body),
          dryRun,
          precondition: preconditionOf(asked.request),
        })
        if (dryRun) return { dryRun, ...applied }
        if (applied.outcome !== 'created') return applied
        return created(asked.reply, `/manage/v1/ontologies/${applied.rid}`, applied)
      },
    ),
  ]
}
