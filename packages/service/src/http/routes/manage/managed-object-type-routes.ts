import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  appliedObjectTypeSchema,
  managedObjectTypeSchema,
  managedObjectTypesPageSchema,
  objectTypeDefinitionSchema,
  pageSizes,
} from '@octavo/protocol'
import { findOntology, objectTypeNotFound } from '../../../catalog/find-object-type.ts'
import { putObjectType } from '../../../manage/apply-definitions.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { managedObjectType } from '../../../manage/managed-object-type.ts'
import { parseObjectTypeDefinition } from '../../../read/request/parse-definition.ts'
import { booleanValue, refuseUnknown, type QueryParameters } from '../../../read/request/query-parameters.ts'
import { inMemory, serveListPage } from '../../../read/serve/serve-list-page.ts'
import { created } from '../../created.ts'
import { describedAs } from '../../openapi/described-as.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'
import { dryRunParameters, objectTypePath, ontologyPath, pageParameters } from '../../page-parameters.ts'
import { preconditionOf } from '../../precondition-of.ts'
import { callerOf } from '../../require-right.ts'

interface OfOntology {
  Params: { ontology: string }
  Querystring: QueryParameters
}

interface OfObjectType {
  Params: { ontology: string; objectType: string }
  Querystring: QueryParameters
}

/** Policies, and counts that would tell of what they hide, are for writers of a type. */
const role = 'writer'

export const managedObjectTypeRoutes =
  (service: ManageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { catalog } = service.store

    app.get<OfOntology>(
      '/manage/v1/ontologies/:ontology/objectTypes',
      describedAs({
        operationId: 'listManagedObjectTypes',
        summary: 'List the object types of an ontology, with their definitions.',
        tag: 'Manage',
        right: 'read',
        path: ontologyPath,
        query: pageParameters,
        answer: managedObjectTypesPageSchema,
        errors: ['OntologyNotFound', 'Default:PermissionDenied', ...pagingErrors],
      }),
      async (request) => {
        const caller = callerOf(request)
        const ontology = await findOntology(service, caller, { kind: 'ontology', ...request.params }, role)
        return serveListPage(service, {
          caller,
          parameters: request.query,
          query: pageParameters,
          endpoint: 'listManagedObjectTypes',
          within: ontology.rid,
          sizes: pageSizes.manage,
          ...inMemory(
            async () => (await catalog.objectTypes(ontology)).map(managedObjectType),
            ({ apiName }) => apiName,
          ),
        })
      },
    )

    app.get<OfObjectType>(
      '/manage/v1/ontologies/:ontology/objectTypes/:objectType',
      describedAs({
        operationId: 'getManagedObjectType',
        summary: 'Read one object type, with its definition.',
        tag: 'Manage',
        right: 'read',
        path: objectTypePath,
        answer: managedObjectTypeSchema,
        hasTag: true,
        errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'Default:PermissionDenied'],
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), [])
        const { objectType } = request.params
        const ontology = await findOntology(
          service,
          callerOf(request),
          { kind: 'ontology', ...request.params },
          role,
        )
        // Read again: a definition that is shown in order to be changed must be the current one.
        const types = await catalog.objectTypes(ontology)
        const found = types.find(({ apiName }) => apiName === objectType)
        if (found === undefined) throw objectTypeNotFound(catalog, ontology, objectType)
        return managedObjectType(found)
      },
    )

    app.put<OfObjectType>(
      '/manage/v1/ontologies/:ontology/objectTypes/:objectType',
      describedAs({
        operationId: 'applyObjectType',
        summary: 'Create an object type, or change its definition.',
        details:
          'Answers only once new searchable and sortable properties are ready, which takes longer the more objects there are.',
        tag: 'Manage',
        right: 'admin',
        path: objectTypePath,
        query: dryRunParameters,
        body: objectTypeDefinitionSchema,
        answer: appliedObjectTypeSchema,
        hasPrecondition: true,
        creates: 'ifAbsent',
        errors: [
          'OntologyNotFound',
          'Default:PermissionDenied',
          'InvalidDefinition',
          'PreconditionFailed',
          ...changeErrors,
          'IncompatibleDefinition',
        ],
      }),
      async (request, reply) => {
        refuseUnknown(Object.keys(request.query), ['dryRun'])
        const { ontology, objectType } = request.params
        const dryRun = booleanValue(request.query, 'dryRun') ?? false
        const applied = await putObjectType(service, callerOf(request), {
          ontology,
          definition: parseObjectTypeDefinition(request.body, objectType),
          dryRun,
          precondition: preconditionOf(request),
        })
        if (dryRun) return { dryRun, ...applied }
        if (applied.outcome !== 'created') return applied
        return created(reply, `/manage/v1/ontologies/${ontology}/objectTypes/${objectType}`, applied)
      },
    )
  }
