// What clients of the API family read about ontologies and their types. They generate code from it, so it is given whole where they
// expect it whole.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  linkTypeSidesPageSchema,
  linkTypeSideV2Schema,
  objectTypeFullMetadataSchema,
  objectTypesV2PageSchema,
  objectTypeV2Schema,
  ontologiesV2Schema,
  ontologyFullMetadataSchema,
  ontologySchema,
  pageSizes,
  wantedMetadataSchema,
} from '@octavo/protocol'
import type { FastifyRequest } from 'fastify'
import { findLink } from '../../catalog/links.ts'
import {
  findObjectType,
  findOntology,
  grantedOntologies,
  objectTypeNotFound,
} from '../../catalog/find-object-type.ts'
import { fullMetadataOf, linkTypeSides, objectTypeV2 } from './full-metadata.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { shownOntology, type Ontology } from '../../catalog/ontology.ts'
import { refuseUnknownV2 } from '../object-set/parse-v2-request.ts'
import { shapeChecker } from '../../read/request/check-shape.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import { fieldsOf } from '../../read/request/parse-search-request.ts'
import { inMemory, serveListPage } from '../../read/serve/serve-list-page.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { describedAs } from '../../http/openapi/described-as.ts'
import { pagingErrors } from '../../http/page-errors.ts'
import {
  linkTypeV2Path,
  objectTypePath,
  ontologyPath,
  unversionedListParameters,
} from '../../http/page-parameters.ts'
import { callerOf } from '../../http/require-right.ts'

interface OfOntology {
  readonly Params: { readonly ontology: string }
  readonly Querystring: QueryParameters
}

interface OfType {
  readonly Params: { readonly ontology: string; readonly objectType: string }
  readonly Querystring: QueryParameters
}

interface OfLink {
  readonly Params: OfType['Params'] & { readonly link: string }
  readonly Querystring: QueryParameters
}

const described = { tag: 'Revision v2', right: 'read' } as const
const checkWanted = shapeChecker(wantedMetadataSchema)

export const ontologyV2Routes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { catalog } = service.store
    const ontologyOf = (request: FastifyRequest<OfOntology>): Promise<Ontology> =>
      findOntology(service, callerOf(request), { kind: 'ontology', ...request.params })
    const typeOf = async (request: FastifyRequest<OfType>) => {
      refuseUnknownV2(request.query, [])
      const target = { kind: 'ontology', ...request.params } as const
      const { ontology, type } = await findObjectType(service, callerOf(request), target)
      return { type, types: await catalog.objectTypes(ontology) }
    }
    const wholeOf = (ontology: Ontology, types: readonly ObjectType[], all: readonly ObjectType[]) => ({
      ontology: shownOntology(ontology),
      objectTypes: Object.fromEntries(types.map((type) => [type.apiName, fullMetadataOf(type, all)])),
      actionTypes: {},
      queryTypes: {},
      interfaceTypes: {},
      sharedPropertyTypes: {},
      valueTypes: {},
    })

    app.get<{ Querystring: QueryParameters }>(
      '/api/v2/ontologies',
      describedAs({
        ...described,
        operationId: 'listOntologiesV2',
        summary: 'List the ontologies that the caller may read.',
        details: 'Not in pages: the API family gives all of them at once.',
        answer: ontologiesV2Schema,
        errors: [],
      }),
      async (request) => {
        refuseUnknownV2(request.query, [])
        return { data: (await grantedOntologies(service, callerOf(request))).map(shownOntology) }
      },
    )

    app.get<OfOntology>(
      '/api/v2/ontologies/:ontology',
      describedAs({
        ...described,
        operationId: 'getOntologyV2',
        summary: 'Read one ontology.',
        path: ontologyPath,
        answer: ontologySchema,
        hasTag: true,
        errors: ['OntologyNotFound'],
      }),
      async (request) => {
        refuseUnknownV2(request.query, [])
        return shownOntology(await ontologyOf(request))
      },
    )

    app.get<OfOntology>(
      '/api/v2/ontologies/:ontology/fullMetadata',
      describedAs({
        ...described,
        operationId: 'getOntologyFullMetadata',
        summary: 'Read an ontology with all its object types and links, to generate code from.',
        path: ontologyPath,
        answer: ontologyFullMetadataSchema,
        hasTag: true,
        errors: ['OntologyNotFound'],
      }),
      async (request) => {
        refuseUnknownV2(request.query, [])
        const ontology = await ontologyOf(request)
        const types = await catalog.objectTypes(ontology)
        return wholeOf(ontology, types, types)
      },
    )

    app.post<OfOntology>(
      '/api/v2/ontologies/:ontology/metadata',
      describedAs({
        ...described,
        operationId: 'loadOntologyMetadata',
        summary: 'Read an ontology with some of its object types, to generate code from.',
        path: ontologyPath,
        body: wantedMetadataSchema,
        answer: ontologyFullMetadataSchema,
        errors: ['OntologyNotFound', 'ObjectTypeNotFound'],
      }),
      async (request) => {
        refuseUnknownV2(request.query, [], Object.keys(wantedMetadataSchema.properties))
        const { objectTypes = [] } = checkWanted(fieldsOf(request.body))
        const ontology = await ontologyOf(request)
        const all = await catalog.objectTypes(ontology)
        const wanted = objectTypes.map((name) => {
          const type = all.find(({ apiName }) => apiName === name)
          if (type === undefined) throw objectTypeNotFound(catalog, ontology, name)
          return type
        })
        return wholeOf(ontology, wanted, all)
      },
    )

    app.get<OfOntology>(
      '/api/v2/ontologies/:ontology/objectTypes',
      describedAs({
        ...described,
        operationId: 'listObjectTypesV2',
        summary: 'List the object types of an ontology.',
        path: ontologyPath,
        query: unversionedListParameters,
        answer: objectTypesV2PageSchema,
        errors: ['OntologyNotFound', ...pagingErrors],
      }),
      async (request) => {
        const parameters = refuseUnknownV2(request.query, Object.keys(unversionedListParameters.properties))
        const ontology = await ontologyOf(request)
        return serveListPage(service, {
          caller: callerOf(request),
          parameters,
          query: unversionedListParameters,
          endpoint: 'listObjectTypesV2',
          within: ontology.rid,
          sizes: pageSizes.listObjectTypes,
          ...inMemory(
            async () => (await catalog.objectTypes(ontology)).map(objectTypeV2),
            (type) => type.apiName,
          ),
        })
      },
    )

    app.get<OfType>(
      '/api/v2/ontologies/:ontology/objectTypes/:objectType',
      describedAs({
        ...described,
        operationId: 'getObjectTypeV2',
        summary: 'Read one object type.',
        path: objectTypePath,
        answer: objectTypeV2Schema,
        hasTag: true,
        errors: ['OntologyNotFound', 'ObjectTypeNotFound'],
      }),
      async (request) => objectTypeV2((await typeOf(request)).type),
    )

    app.get<OfType>(
      '/api/v2/ontologies/:ontology/objectTypes/:objectType/fullMetadata',
      describedAs({
        ...described,
        operationId: 'getObjectTypeFullMetadata',
        summary: 'Read one object type with its links.',
        path: objectTypePath,
        answer: objectTypeFullMetadataSchema,
        hasTag: true,
        errors: ['OntologyNotFound', 'ObjectTypeNotFound'],
      }),
      async (request) => {
        const { type, types } = await typeOf(request)
        return fullMetadataOf(type, types)
      },
    )

    app.get<OfType>(
      '/api/v2/ontologies/:ontology/objectTypes/:objectType/outgoingLinkTypes',
      describedAs({
        ...described,
        operationId: 'listOutgoingLinkTypesV2',
        summary: 'List the links of an object type.',
        path: objectTypePath,
        query: unversionedListParameters,
        answer: linkTypeSidesPageSchema,
        errors: ['OntologyNotFound', 'ObjectTypeNotFound', ...pagingErrors],
      }),
      async (request) => {
        const parameters = refuseUnknownV2(request.query, Object.keys(unversionedListParameters.properties))
        const caller = callerOf(request)
        const target = { kind: 'ontology', ...request.params } as const
        const { ontology, type } = await findObjectType(service, caller, target)
        return serveListPage(service, {
          caller,
          parameters,
          query: unversionedListParameters,
          endpoint: 'listOutgoingLinkTypesV2',
          within: type.rid,
          sizes: pageSizes.listObjectTypes,
          ...inMemory(
            async () => linkTypeSides(type, await catalog.objectTypes(ontology)),
            (link) => link.apiName,
          ),
        })
      },
    )

    app.get<OfLink>(
      '/api/v2/ontologies/:ontology/objectTypes/:objectType/outgoingLinkTypes/:link',
      describedAs({
        ...described,
        operationId: 'getOutgoingLinkTypeV2',
        summary: 'Read one link of an object type.',
        path: linkTypeV2Path,
        answer: linkTypeSideV2Schema,
        errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'LinkTypeNotFound'],
      }),
      async (request) => {
        const { type, types } = await typeOf(request)
        const { apiName } = findLink(type, types, request.params.link)
        return linkTypeSides(type, types).find((side) => side.apiName === apiName)
      },
    )
  }
