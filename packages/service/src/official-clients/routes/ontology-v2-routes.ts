// What clients of the API family read about ontologies and their types. They generate code from it, so it is given whole where they
// expect it whole.
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
  unversionedListParametersSchema,
} from '@octavo/protocol'
import { findLink } from '../../catalog/links.ts'
import {
  findObjectType,
  findOntology,
  grantedOntologies,
  objectTypeNotFound,
  type OntologyTarget,
  type PageTarget,
} from '../../catalog/find-object-type.ts'
import { fullMetadataOf, linkTypeSides, objectTypeV2 } from './full-metadata.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { shownOntology, type Ontology } from '../../catalog/ontology.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import { refuseUnknownV2 } from '../object-set/parse-v2-request.ts'
import { shapeChecker } from '../../read/request/check-shape.ts'
import { fieldsOf } from '../../read/request/parse-search-request.ts'
import { inMemory, serveListPage } from '../../read/serve/serve-list-page.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../../http/operation.ts'
import { pagingErrors } from '../../http/errors-of-operations.ts'

interface ForOntology {
  readonly caller: Caller
  readonly target: OntologyTarget
}

interface ForType {
  readonly caller: Caller
  readonly target: PageTarget
}

const described = { kind: 'read', right: 'read', checkQuery: refuseUnknownV2 } as const
const checkWanted = shapeChecker(wantedMetadataSchema)

export const ontologyV2Operations = (service: PageService): readonly Operation[] => {
  const { catalog } = service.store
  const ontologyOf = ({ caller, target }: ForOntology): Promise<Ontology> =>
    findOntology(service, caller, target)
  const typeOf = async ({ caller, target }: ForType) => {
    const { ontology, type } = await findObjectType(service, caller, target)
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
  return [
    operation(
      'GET /api/v2/ontologies',
      {
        ...described,
        operationId: 'listOntologiesV2',
        summary: 'List the ontologies that the caller may read.',
        details: 'Not in pages: the API family gives all of them at once.',
        answer: ontologiesV2Schema,
      },
      async (incoming) => ({ data: (await grantedOntologies(service, incoming.caller)).map(shownOntology) }),
    ),

    operation(
      'GET /api/v2/ontologies/:ontology',
      {
        ...described,
        operationId: 'getOntologyV2',
        summary: 'Read one ontology.',
        answer: ontologySchema,
        hasTag: true,
      },
      async (incoming) => shownOntology(await ontologyOf(incoming)),
    ),

    operation(
      'GET /api/v2/ontologies/:ontology/fullMetadata',
      {
        ...described,
        operationId: 'getOntologyFullMetadata',
        summary: 'Read an ontology with all its object types and links, to generate code from.',
        answer: ontologyFullMetadataSchema,
        hasTag: true,
      },
      async (incoming) => {
        const ontology = await ontologyOf(incoming)
        const types = await catalog.objectTypes(ontology)
        return wholeOf(ontology, types, types)
      },
    ),

    operation(
      'POST /api/v2/ontologies/:ontology/metadata',
      {
        ...described,
        operationId: 'loadOntologyMetadata',
        summary: 'Read an ontology with some of its object types, to generate code from.',
        body: wantedMetadataSchema,
        answer: ontologyFullMetadataSchema,
        errors: ['ObjectTypeNotFound'],
      },
      async (incoming) => {
        const { objectTypes = [] } = checkWanted(fieldsOf(incoming.body))
        const ontology = await ontologyOf(incoming)
        const all = await catalog.objectTypes(ontology)
        const wanted = objectTypes.map((name) => {
          const type = all.find(({ apiName }) => apiName === name)
          if (type === undefined) throw objectTypeNotFound(catalog, ontology, name)
          return type
        })
        return wholeOf(ontology, wanted, all)
      },
    ),

    operation(
      'GET /api/v2/ontologies/:ontology/objectTypes',
      {
        ...described,
        operationId: 'listObjectTypesV2',
        summary: 'List the object types of an ontology.',
        query: unversionedListParametersSchema,
        answer: objectTypesV2PageSchema,
        errors: [...pagingErrors],
      },
      async (incoming) => {
        const ontology = await ontologyOf(incoming)
        return serveListPage(service, {
          ...incoming.list,
          within: ontology.rid,
          sizes: pageSizes.listObjectTypes,
          ...inMemory(
            async () => (await catalog.objectTypes(ontology)).map(objectTypeV2),
            (type) => type.apiName,
          ),
        })
      },
    ),

    operation(
      'GET /api/v2/ontologies/:ontology/objectTypes/:objectType',
      {
        ...described,
        operationId: 'getObjectTypeV2',
        summary: 'Read one object type.',
        answer: objectTypeV2Schema,
        hasTag: true,
        errors: ['ObjectTypeNotFound'],
      },
      async (incoming) => objectTypeV2((await typeOf(incoming)).type),
    ),

    operation(
      'GET /api/v2/ontologies/:ontology/objectTypes/:objectType/fullMetadata',
      {
        ...described,
        operationId: 'getObjectTypeFullMetadata',
        summary: 'Read one object type with its links.',
        answer: objectTypeFullMetadataSchema,
        hasTag: true,
        errors: ['ObjectTypeNotFound'],
      },
      async (incoming) => {
        const { type, types } = await typeOf(incoming)
        return fullMetadataOf(type, types)
      },
    ),

    operation(
      'GET /api/v2/ontologies/:ontology/objectTypes/:objectType/outgoingLinkTypes',
      {
        ...described,
        operationId: 'listOutgoingLinkTypesV2',
        summary: 'List the links of an object type.',
        query: unversionedListParametersSchema,
        answer: linkTypeSidesPageSchema,
        errors: ['ObjectTypeNotFound', ...pagingErrors],
      },
      async (incoming) => {
        const { ontology, type } = await findObjectType(service, incoming.caller, incoming.target)
        return serveListPage(service, {
          ...incoming.list,
          within: type.rid,
          sizes: pageSizes.listObjectTypes,
          ...inMemory(
            async () => linkTypeSides(type, await catalog.objectTypes(ontology)),
            (link) => link.apiName,
          ),
        })
      },
    ),

    operation(
      'GET /api/v2/ontologies/:ontology/objectTypes/:objectType/outgoingLinkTypes/:link',
      {
        ...described,
        operationId: 'getOutgoingLinkTypeV2',
        summary: 'Read one link of an object type.',
        answer: linkTypeSideV2Schema,
        errors: ['ObjectTypeNotFound', 'LinkTypeNotFound'],
      },
      async (incoming) => {
        const { type, types } = await typeOf(incoming)
        const { apiName } = findLink(type, types, incoming.params.link)
        return linkTypeSides(type, types).find((side) => side.apiName === apiName)
      },
    ),
  ]
}
