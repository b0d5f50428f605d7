import {
  listedObjectTypeSchema,
  listedObjectTypesPageSchema,
  pageSizes,
  searchableObjectTypeSchema,
  searchableObjectTypesPageSchema,
} from '@octavo/protocol'
import { findObjectType, findOntology } from '../../catalog/find-object-type.ts'
import { asListed, asSearchable } from '../../catalog/object-type-views.ts'
import { inMemory, serveListPage } from '../../read/serve/serve-list-page.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import { pagingErrors } from '../page-errors.ts'
import { unversionedListParameters } from '../page-parameters.ts'

/** Where links are shown, those of other types are looked at, too. */
const revisions = [
  {
    tag: 'Revision 1.0',
    notFound: 'OntologyNotFound',
    list: {
      address: 'GET /api/v1/ontologies/:ontology/objectTypes',
      operationId: 'listObjectTypes',
      page: listedObjectTypesPageSchema,
    },
    one: {
      address: 'GET /api/v1/ontologies/:ontology/objectTypes/:objectType',
      operationId: 'getObjectType',
      shape: listedObjectTypeSchema,
    },
    view: asListed,
    showsLinks: false,
  },
  {
    tag: 'Revision 2.0',
    notFound: 'ApiFamilyNotFound',
    list: {
      address: 'GET /api/:apiFamily/v1/objects/types',
      operationId: 'listFamilyObjectTypes',
      page: searchableObjectTypesPageSchema,
    },
    one: {
      address: 'GET /api/:apiFamily/v1/objects/types/:objectType',
      operationId: 'getFamilyObjectType',
      shape: searchableObjectTypeSchema,
    },
    view: asSearchable,
    showsLinks: true,
  },
] as const

/** Both revisions show the same object types, each in its own shape. */
export const objectTypeOperations = (service: PageService): readonly Operation[] =>
  revisions.flatMap(({ tag, notFound, list, one, view, showsLinks }) => [
    operation(
      list.address,
      {
        kind: 'read',
        operationId: list.operationId,
        summary: 'List the object types of an ontology.',
        tag,
        right: 'read',
        query: unversionedListParameters,
        answer: list.page,
        errors: [notFound, ...pagingErrors],
      },
      async (asked) => {
        const ontology = await findOntology(service, asked.caller, asked.target)
        const types = await service.store.catalog.objectTypes(ontology)
        const page = await serveListPage(service, {
          ...asked.list,
          within: ontology.rid,
          sizes: pageSizes.listObjectTypes,
          ...inMemory(
            async () => types,
            (type) => type.apiName,
          ),
        })
        return { ...page, data: page.data.map((type) => view(type, types)) }
      },
    ),
    operation(
      one.address,
      {
        kind: 'read',
        operationId: one.operationId,
        summary: 'Read one object type.',
        tag,
        right: 'read',
        answer: one.shape,
        hasTag: true,
        errors: [notFound, 'ObjectTypeNotFound'],
      },
      async (asked) => {
        const { ontology, type } = await findObjectType(service, asked.caller, asked.target)
        return view(type, showsLinks ? await service.store.catalog.objectTypes(ontology) : [])
      },
    ),
  ])
