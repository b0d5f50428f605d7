// Object sets: what the API family's client for TypeScript asks for, whatever it is incoming.
import {
  aggregateV2Schema,
  type AggregateV2,
  aggregateSetRequestSchema,
  loadedMixedPageSchema,
  loadedObjectsPageSchema,
  loadObjectsRequestSchema,
} from '@octavo/protocol'
import { parseAggregateSet, parseLoadObjects, refuseLarge } from '../object-set/parse-v2-request.ts'
import { resolveObjectSet } from '../object-set/resolve-object-set.ts'
import { writePage } from '../../read/page/write-page.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveAggregate } from '../../read/serve/serve-aggregate.ts'
import { operation, type Operation } from '../../http/operation.ts'
import { aggregateErrors, objectPageErrors, queryErrors } from '../../http/errors-of-operations.ts'
import { servePage } from '../../read/serve/serve-page.ts'

/** What clients look for on every page, and what is always the same here. */
const loaded = ',"propertySecurities":[]'
const loadedMixed = `${loaded},"interfaceToObjectTypeMappings":{},"interfaceToObjectTypeMappingsV2":{}`

const loads = [
  {
    address: 'POST /api/v2/ontologies/:ontology/objectSets/loadObjects',
    operationId: 'loadObjectSetV2',
    summary: 'Load the objects of an object set, page by page.',
    answer: loadedObjectsPageSchema,
    constants: loaded,
  },
  {
    address: 'POST /api/v2/ontologies/:ontology/objectSets/loadObjectsMultipleObjectTypes',
    operationId: 'loadObjectSetOfSeveralTypesV2',
    summary:
      'The same, for clients that do not know the type of the objects. The set must still be of one type.',
    answer: loadedMixedPageSchema,
    constants: loadedMixed,
  },
] as const

const setErrors = ['ObjectNotFound', 'UnsupportedObjectSet', 'UnsupportedCondition'] as const

export const objectSetOperations = (service: PageService): readonly Operation[] => [
  ...loads.map(({ address, operationId, summary, answer, constants }) =>
    operation(
      address,
      {
        kind: 'page',
        operationId,
        summary,
        details:
          'A set is `base`, `filter`, `static`, `searchAround`, or a `union`, `intersect` or `subtract` of sets of one type.',
        right: 'read',
        body: loadObjectsRequestSchema,
        answer,
        errors: [...setErrors, ...objectPageErrors, ...queryErrors],
      },
      // The set becomes a query of one type, and then it is a page like any other.
      async ({ arrived, caller, target, query: parameters, body }) => {
        const { objectSet, request } = parseLoadObjects(parameters, body)
        const { objectType, query } = await resolveObjectSet(service, { caller, target }, objectSet)
        refuseLarge(query)
        return servePage(service, {
          ...arrived,
          target: { ...target, objectType },
          parse: () => ({ ...request, query }),
          write: (rows, envelope) => writePage(rows, envelope, constants),
        })
      },
    ),
  ),

  operation(
    'POST /api/v2/ontologies/:ontology/objectSets/aggregate',
    {
      kind: 'page',
      operationId: 'aggregateObjectSetV2',
      summary: 'Count, add up and group the objects of an object set.',
      details: 'Always exact, or refused.',
      right: 'read',
      body: aggregateSetRequestSchema,
      answer: aggregateV2Schema,
      errors: [...setErrors, ...aggregateErrors],
    },
    async ({ arrived, caller, target, query: parameters, body }): Promise<AggregateV2> => {
      const { objectSet, aggregate } = parseAggregateSet(parameters, body)
      const { objectType, query } = await resolveObjectSet(service, { caller, target }, objectSet)
      const aggregated = await serveAggregate(service, {
        ...arrived,
        target: { ...target, objectType },
        parse: () => aggregate(query),
      })
      return { accuracy: 'ACCURATE', ...aggregated }
    },
  ),
]
