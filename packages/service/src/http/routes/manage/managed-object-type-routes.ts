import {
  appliedObjectTypeSchema,
  managedObjectTypeSchema,
  managedObjectTypesPageSchema,
  objectTypeDefinitionSchema,
  pageSizes,
  pageParametersSchema,
} from '@octavo/protocol'
import { findOntology, objectTypeNotFound } from '../../../catalog/find-object-type.ts'
import { putObjectType } from '../../../manage/apply-definitions.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { managedObjectType } from '../../../manage/managed-object-type.ts'
import { parseObjectTypeDefinition } from '../../../read/request/parse-definition.ts'
import { booleanValue } from '../../../read/request/query-parameters.ts'
import { inMemory, serveListPage } from '../../../read/serve/serve-list-page.ts'
import { created } from '../../created.ts'
import { operation, type Operation } from '../../operation.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'
import { dryRunParameters } from '../../page-parameters.ts'
import { preconditionOf } from '../../precondition-of.ts'

/** Policies, and counts that would tell of what they hide, are for writers of a type. */
const role = 'writer'

export const managedObjectTypeOperations = (service: ManageService): readonly Operation[] => {
  const { catalog } = service.store
  return [
    operation(
      'GET /manage/v1/ontologies/:ontology/objectTypes',
      {
        kind: 'read',
        operationId: 'listManagedObjectTypes',
        summary: 'List the object types of an ontology, with their definitions.',
        right: 'read',
        query: pageParametersSchema,
        answer: managedObjectTypesPageSchema,
        errors: ['Default:PermissionDenied', ...pagingErrors],
      },
      async (asked) => {
        const ontology = await findOntology(service, asked.caller, asked.target, role)
        return serveListPage(service, {
          ...asked.list,
          within: ontology.rid,
          sizes: pageSizes.manage,
          ...inMemory(
            async () => (await catalog.objectTypes(ontology)).map(managedObjectType),
            ({ apiName }) => apiName,
          ),
        })
      },
    ),

    operation(
      'GET /manage/v1/ontologies/:ontology/objectTypes/:objectType',
      {
        kind: 'read',
        operationId: 'getManagedObjectType',
        summary: 'Read one object type, with its definition.',
        right: 'read',
        answer: managedObjectTypeSchema,
        hasTag: true,
        errors: ['ObjectTypeNotFound', 'Default:PermissionDenied'],
      },
      async (asked) => {
        const { objectType } = asked.params
        const ontology = await findOntology(service, asked.caller, asked.target, role)
        // Read again: a definition that is shown in order to be changed must be the current one.
        const types = await catalog.objectTypes(ontology)
        const found = types.find(({ apiName }) => apiName === objectType)
        if (found === undefined) throw objectTypeNotFound(catalog, ontology, objectType)
        return managedObjectType(found)
      },
    ),

    operation(
      'PUT /manage/v1/ontologies/:ontology/objectTypes/:objectType',
      {
        kind: 'write',
        operationId: 'applyObjectType',
        summary: 'Create an object type, or change its definition.',
        details:
          'Answers only once new searchable and sortable properties are ready, which takes longer the more objects there are.',
        right: 'admin',
        query: dryRunParameters,
        body: objectTypeDefinitionSchema,
        answer: appliedObjectTypeSchema,
        hasPrecondition: true,
        creates: 'ifAbsent',
        errors: [
          'Default:PermissionDenied',
          'InvalidDefinition',
          'PreconditionFailed',
          ...changeErrors,
          'IncompatibleDefinition',
        ],
      },
      async (asked) => {
        const { ontology, objectType } = asked.params
        const dryRun = booleanValue(asked.query, 'dryRun') ?? false
        const applied = await putObjectType(service, asked.caller, {
          ontology,
          definition: parseObjectTypeDefinition(asked.body, objectType),
          dryRun,
          precondition: preconditionOf(asked.request),
        })
        if (dryRun) return { dryRun, ...applied }
        if (applied.outcome !== 'created') return applied
        return created(asked.reply, `/manage/v1/ontologies/${ontology}/objectTypes/${objectType}`, applied)
      },
    ),
  ]
}
