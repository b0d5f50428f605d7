import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  listedObjectTypeSchema,
  listedObjectTypesPageSchema,
  pageSizes,
  searchableObjectTypeSchema,
  searchableObjectTypesPageSchema,
  type ErrorName,
} from '@octavo/protocol'
import type { TSchema } from 'typebox'
import { findObjectType, findOntology, type OntologyTarget } from '../../catalog/find-object-type.ts'
import { asListed, asSearchable } from '../../catalog/object-type-views.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { refuseUnknown, type QueryParameters } from '../../read/request/query-parameters.ts'
import { inMemory, serveListPage } from '../../read/serve/serve-list-page.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { describedAs } from '../openapi/described-as.ts'
import type { Tag } from '../openapi/tags.ts'
import { pagingErrors } from '../page-errors.ts'
import {
  familyPath,
  familyTypePath,
  objectTypePath,
  ontologyPath,
  unversionedListParameters,
} from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

interface Revision {
  readonly tag: Tag
  readonly notFound: ErrorName
  readonly list: { readonly url: string; readonly operationId: string; readonly page: TSchema }
  readonly one: { readonly url: string; readonly operationId: string; readonly shape: TSchema }
  readonly paths:
    | readonly [typeof ontologyPath, typeof objectTypePath]
    | readonly [typeof familyPath, typeof familyTypePath]
  readonly target: (params: Readonly<Record<string, string>>) => OntologyTarget
  /** The links of a type are those of other types, too. */
  readonly showsLinks: boolean
  readonly view: (type: ObjectType, types: readonly ObjectType[]) => { readonly apiName: string }
}

const revisions: readonly Revision[] = [
  {
    tag: 'Revision 1.0',
    notFound: 'OntologyNotFound',
    list: {
      url: '/api/v1/ontologies/:ontology/objectTypes',
      operationId: 'listObjectTypes',
      page: listedObjectTypesPageSchema,
    },
    one: {
      url: '/api/v1/ontologies/:ontology/objectTypes/:objectType',
      operationId: 'getObjectType',
      shape: listedObjectTypeSchema,
    },
    paths: [ontologyPath, objectTypePath],
    target: ({ ontology = '' }) => ({ kind: 'ontology', ontology }),
    view: asListed,
    showsLinks: false,
  },
  {
    tag: 'Revision 2.0',
    notFound: 'ApiFamilyNotFound',
    list: {
      url: '/api/:apiFamily/v1/objects/types',
      operationId: 'listFamilyObjectTypes',
      page: searchableObjectTypesPageSchema,
    },
    one: {
      url: '/api/:apiFamily/v1/objects/types/:objectType',
      operationId: 'getFamilyObjectType',
      shape: searchableObjectTypeSchema,
    },
    paths: [familyPath, familyTypePath],
    target: ({ apiFamily = '' }) => ({ kind: 'family', apiFamily }),
    view: asSearchable,
    showsLinks: true,
  },
]

/** Both revisions show the same object types, each in its own shape. */
export const objectTypeRoutes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { catalog } = service.store
    for (const { tag, notFound, list, one, paths, target, view, showsLinks } of revisions) {
      app.get<{ Params: Record<string, string>; Querystring: QueryParameters }>(
        list.url,
        describedAs({
          operationId: list.operationId,
          summary: 'List the object types of an ontology.',
          tag,
          right: 'read',
          path: paths[0],
          query: unversionedListParameters,
          answer: list.page,
          errors: [notFound, ...pagingErrors],
        }),
        async (request) => {
          const caller = callerOf(request)
          const ontology = await findOntology(service, caller, target(request.params))
          const types = await catalog.objectTypes(ontology)
          const page = await serveListPage(service, {
            caller,
            parameters: request.query,
            query: unversionedListParameters,
            endpoint: list.operationId,
            within: ontology.rid,
            sizes: pageSizes.listObjectTypes,
            ...inMemory(
              async () => types,
              (type) => type.apiName,
            ),
          })
          return { ...page, data: page.data.map((type) => view(type, types)) }
        },
      )
      app.get<{ Params: Record<string, string>; Querystring: QueryParameters }>(
        one.url,
        describedAs({
          operationId: one.operationId,
          summary: 'Read one object type.',
          tag,
          right: 'read',
          path: paths[1],
          answer: one.shape,
          hasTag: true,
          errors: [notFound, 'ObjectTypeNotFound'],
        }),
        async (request) => {
          const { params, query } = request
          refuseUnknown(Object.keys(query), [])
          const { ontology, type } = await findObjectType(service, callerOf(request), {
            ...target(params),
            objectType: params['objectType'] ?? '',
          })
          return view(type, showsLinks ? await catalog.objectTypes(ontology) : [])
        },
      )
    }
  }
