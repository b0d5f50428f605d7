// Ontologies and object types with their definitions, and how much they hold.
import {
  appliedObjectTypeSchema,
  appliedOntologySchema,
  managedObjectTypeSchema,
  managedObjectTypesPageSchema,
  managedOntologiesPageSchema,
  managedOntologySchema,
  objectTypeDefinitionSchema,
  objectTypeStatisticsSchema,
  ontologyDefinitionSchema,
  pageParametersSchema,
  pageSizes,
} from '@octavo/protocol'
import {
  findObjectType,
  findOntology,
  grantedOntologies,
  objectTypeNotFound,
} from '../../../catalog/find-object-type.ts'
import type { Ontology } from '../../../catalog/ontology.ts'
import type { Caller } from '../../../guard/auth/caller.ts'
import { putObjectType, putOntology } from '../../../manage/apply-definitions.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { managedObjectType } from '../../../manage/managed-object-type.ts'
import { managedOntology } from '../../../manage/managed-ontology.ts'
import { typeStatistics } from '../../../manage/type-statistics.ts'
import { parseObjectTypeDefinition, parseOntologyDefinition } from '../../../read/request/parse-definition.ts'
import { inMemory, serveListPage } from '../../../read/serve/serve-list-page.ts'
import { operation, type Operation } from '../../operation.ts'
import { changeErrors, pagingErrors } from '../../errors-of-operations.ts'
import { employees, oldestReadable } from '../../openapi/examples.ts'
import { answerApplied, dryRunParameters, isDryRun, preconditionOf } from './change-requests.ts'

const readOnly = { kind: 'read', right: 'read' } as const
const definitionChange = {
  kind: 'write',
  right: 'admin',
  query: dryRunParameters,
  creates: 'ifAbsent',
  hasPrecondition: true,
} as const

/** Policies and counts would reveal to readers what a policy hides from them. */
const role = 'writer'

export const definitionOperations = (service: ManageService): readonly Operation[] => [
  ...ontologyOperations(service),
  ...objectTypeOperations(service),
  statisticsOperation(service),
]

function ontologyOperations(service: ManageService): readonly Operation[] {
  const shownTo = async (caller: Caller, ontologies: readonly Ontology[]) => {
    const roles = await service.access.roles(caller)
    return ontologies.map((ontology) => managedOntology(ontology, roles.get(ontology.rid) ?? 'reader'))
  }
  return [
    operation(
      'GET /manage/v1/ontologies',
      {
        ...readOnly,
        operationId: 'listManagedOntologies',
        summary: 'List the ontologies on which the caller has a role, with that role and their API families.',
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
        ...readOnly,
        operationId: 'getManagedOntology',
        summary: 'Read one ontology, with its API families and the role of the caller.',
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
        ...definitionChange,
        operationId: 'applyOntology',
        summary: 'Create an ontology, or change its texts and API families.',
        details: 'The caller becomes the owner of a new ontology. Only an owner may change an existing one.',
        body: ontologyDefinitionSchema,
        answer: appliedOntologySchema,
        errors: [
          'InvalidDefinition',
          'OntologyAlreadyExists',
          'PreconditionFailed',
          'Default:PermissionDenied',
          ...changeErrors,
        ],
      },
      async ({ caller, params, query, body, request, reply }) => {
        const dryRun = isDryRun(query)
        const applied = await putOntology(service, caller, {
          named: params.ontology,
          definition: parseOntologyDefinition(body),
          dryRun,
          precondition: preconditionOf(request),
        })
        return answerApplied(applied, { reply, path: `/manage/v1/ontologies/${applied.rid}`, dryRun })
      },
    ),
  ]
}

function objectTypeOperations(service: ManageService): readonly Operation[] {
  const { catalog } = service.store
  return [
    operation(
      'GET /manage/v1/ontologies/:ontology/objectTypes',
      {
        ...readOnly,
        operationId: 'listManagedObjectTypes',
        summary: 'List the object types of an ontology, with their definitions.',
        query: pageParametersSchema,
        answer: managedObjectTypesPageSchema,
        errors: ['Default:PermissionDenied', ...pagingErrors],
      },
      async ({ caller, target, list }) => {
        const ontology = await findOntology(service, caller, target, role)
        return serveListPage(service, {
          ...list,
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
        ...readOnly,
        operationId: 'getManagedObjectType',
        summary: 'Read one object type, with its definition.',
        answer: managedObjectTypeSchema,
        hasTag: true,
        errors: ['ObjectTypeNotFound', 'Default:PermissionDenied'],
      },
      async ({ caller, target, params: { objectType } }) => {
        const ontology = await findOntology(service, caller, target, role)
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
        ...definitionChange,
        operationId: 'applyObjectType',
        summary: 'Create an object type, or change its definition.',
        details:
          'Answers only once new searchable and sortable properties are ready, which takes longer the more objects there are.',
        body: objectTypeDefinitionSchema,
        answer: appliedObjectTypeSchema,
        errors: [
          'Default:PermissionDenied',
          'InvalidDefinition',
          'PreconditionFailed',
          ...changeErrors,
          'IncompatibleDefinition',
        ],
      },
      async ({ caller, params: { ontology, objectType }, query, body, request, reply }) => {
        const dryRun = isDryRun(query)
        const applied = await putObjectType(service, caller, {
          ontology,
          definition: parseObjectTypeDefinition(body, objectType),
          dryRun,
          precondition: preconditionOf(request),
        })
        const path = `/manage/v1/ontologies/${ontology}/objectTypes/${objectType}`
        return answerApplied(applied, { reply, path, dryRun })
      },
    ),
  ]
}

function statisticsOperation(service: ManageService): Operation {
  const read = typeStatistics(service.database, service.elapsed)
  return operation(
    'GET /manage/v1/ontologies/:ontology/objectTypes/:objectType/statistics',
    {
      ...readOnly,
      operationId: 'getObjectTypeStatistics',
      summary: 'Read what an object type holds: sizes, indexes and how often they were used.',
      details: 'Nothing is counted for it. Sizes may be some seconds old.',
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
          oldestReadable,
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
    async ({ caller, target }) => {
      const { ontology, type } = await findObjectType(service, caller, target, role)
      const facts = await service.store.catalog.withFreshType(ontology, type, read)
      return { ...facts, retentionSeconds: service.retentionSeconds }
    },
  )
}
