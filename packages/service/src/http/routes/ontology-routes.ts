// Ontologies, their object types, and the commits of a type.
import {
  listedObjectTypeSchema,
  listedObjectTypesPageSchema,
  ontologiesPageSchema,
  ontologySchema,
  pageSizes,
  searchableObjectTypeSchema,
  searchableObjectTypesPageSchema,
  typeCommitsPageSchema,
  unversionedListParametersSchema,
} from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import { findObjectType, findOntology, grantedOntologies } from '../../catalog/find-object-type.ts'
import { asListed, asSearchable } from '../../catalog/object-type-views.ts'
import { shownOntology } from '../../catalog/ontology.ts'
import { readTypeCommits, type TypeCommits } from '../../read/rows/state/read-type-commits.ts'
import { inMemory, serveListPage } from '../../read/serve/serve-list-page.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import { pagingErrors } from '../errors-of-operations.ts'
import { oldestReadable, people } from '../openapi/examples.ts'

const described = { kind: 'read', right: 'read' } as const

/** Both revisions show the same object types, each in its own shape. Where links are shown, those of other types are read, too. */
const revisions = [
  {
    list: {
      address: 'GET /api/v1/ontologies/:ontology/objectTypes',
      operationId: 'listObjectTypes',
      answer: listedObjectTypesPageSchema,
    },
    one: {
      address: 'GET /api/v1/ontologies/:ontology/objectTypes/:objectType',
      operationId: 'getObjectType',
      answer: listedObjectTypeSchema,
    },
    view: asListed,
    showsLinks: false,
  },
  {
    list: {
      address: 'GET /api/:apiFamily/v1/objects/types',
      operationId: 'listFamilyObjectTypes',
      answer: searchableObjectTypesPageSchema,
    },
    one: {
      address: 'GET /api/:apiFamily/v1/objects/types/:objectType',
      operationId: 'getFamilyObjectType',
      answer: searchableObjectTypeSchema,
    },
    view: asSearchable,
    showsLinks: true,
  },
] as const

export const ontologyOperations = (service: PageService): readonly Operation[] => {
  const { store } = service
  const { catalog } = store
  return [
    operation(
      'GET /api/v1/ontologies',
      {
        ...described,
        operationId: 'listOntologies',
        summary: 'List the ontologies that the caller may read.',
        query: unversionedListParametersSchema,
        answer: ontologiesPageSchema,
        errors: pagingErrors,
      },
      ({ caller, list }) =>
        serveListPage(service, {
          ...list,
          within: '',
          sizes: pageSizes.listOntologies,
          ...inMemory(
            async () => (await grantedOntologies(service, caller)).map(shownOntology),
            (ontology) => ontology.rid,
          ),
        }),
    ),

    operation(
      'GET /api/v1/ontologies/:ontology',
      {
        ...described,
        operationId: 'getOntology',
        summary: 'Read one ontology.',
        answer: ontologySchema,
        hasTag: true,
      },
      async ({ caller, target }) => shownOntology(await findOntology(service, caller, target)),
    ),

    ...revisions.flatMap(({ list: { address, ...listed }, one, view, showsLinks }) => [
      operation(
        address,
        {
          ...described,
          ...listed,
          summary: 'List the object types of an ontology.',
          query: unversionedListParametersSchema,
          errors: pagingErrors,
        },
        async ({ caller, target, list }) => {
          const ontology = await findOntology(service, caller, target)
          const types = await catalog.objectTypes(ontology)
          const page = await serveListPage(service, {
            ...list,
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
          ...described,
          operationId: one.operationId,
          summary: 'Read one object type.',
          answer: one.answer,
          hasTag: true,
          errors: ['ObjectTypeNotFound'],
        },
        async ({ caller, target }) => {
          const { ontology, type } = await findObjectType(service, caller, target)
          return view(type, showsLinks ? await catalog.objectTypes(ontology) : [])
        },
      ),
    ]),

    operation(
      'GET /api/:apiFamily/v1/objects/types/:objectType/commits',
      {
        ...described,
        operationId: 'listCommits',
        summary: 'List the commits of an object type that are known, newest first.',
        details:
          'The state of each of them from `oldestReadable` on can be read: name it with its `version` or `committedAt` to get a ' +
          'snapshot token. If the object type has a policy, the commits have no counts.',
        query: unversionedListParametersSchema,
        answer: typeCommitsPageSchema,
        errors: ['ObjectTypeNotFound', ...pagingErrors],
        example: {
          parameters: people,
          answer: {
            data: [
              {
                version: '41',
                committedAt: '2026-05-01T09:30:00Z',
                created: 9,
                updated: 3,
                deleted: 1,
                unchanged: 0,
                totalCount: '2500',
              },
            ],
            oldestReadable,
          },
        },
      },
      async ({ caller, target, list }) => {
        const { ontology, type } = await findObjectType(service, caller, target)
        return catalog.withFreshType(ontology, type, async (fresh) => {
          let read: TypeCommits | undefined
          const page = await serveListPage(service, {
            ...list,
            within: fresh.rid,
            sizes: pageSizes.search,
            read: async (after, most) => {
              read = await readTypeCommits(store, fresh, { before: after?.[0] ?? undefined, most })
              return read.commits
            },
            positionOf: ({ version }) => [version],
          })
          invariant(read !== undefined, 'commits-page-without-reading')
          return { ...page, oldestReadable: read.oldestReadable }
        })
      },
    ),
  ]
}
