import {
  foundObjectsPageSchema,
  linkPairsPageSchema,
  linkPairsRequestSchema,
  linkedObjectsParametersSchema,
  listedObjectsPageSchema,
  searchRequestSchema,
} from '@octavo/protocol'
import { linkedTo, linkAt } from '../../read/walk/through-link.ts'
import { servePairs } from '../../read/serve/serve-pairs.ts'
import { serveLinkedObjects } from '../../read/serve/serve-linked-objects.ts'
import { parseLinkedObjectsRequest } from '../../read/request/parse-list-request.ts'
import { parsePageRequest } from '../../read/request/parse-page-request.ts'
import { parsePairsRequest } from '../../read/request/parse-search-request.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import { filterErrors, objectPageErrors, queryErrors } from '../page-errors.ts'
import { listParameters } from '../page-parameters.ts'
import { servePage } from '../../read/serve/serve-page.ts'

/** What objects are linked to: from one object, from all that a query matches, and as pairs of keys. */
export const linksOperations = (service: PageService): readonly Operation[] => [
  operation(
    'GET /api/v1/ontologies/:ontology/objects/:objectType/:primaryKey/links/:link',
    {
      kind: 'page',
      operationId: 'listLinkedObjects',
      summary: 'List the objects that an object is linked to, page by page.',
      details: 'They are listed as the objects of their type are, with the same parameters and limits.',
      tag: 'Revision 1.0',
      right: 'read',
      query: listParameters,
      answer: listedObjectsPageSchema,
      errors: [
        'OntologyNotFound',
        'ObjectNotFound',
        'LinkTypeNotFound',
        ...objectPageErrors,
        ...filterErrors,
        'ObjectsExceededLimit',
        'InvalidSortType',
        'InvalidSortOrder',
      ],
    },
    (asked) =>
      serveLinkedObjects(service, {
        ...asked.arrived,
        primaryKey: asked.params.primaryKey,
        link: asked.params.link,
        parse: () => parsePageRequest({ endpoint: 'listObjects', parameters: asked.query }),
      }),
  ),

  operation(
    'GET /api/:apiFamily/v1/objects/types/:objectType/objects/:primaryKey/links/:link',
    {
      kind: 'page',
      operationId: 'listFamilyLinkedObjects',
      summary: 'List the objects that an object is linked to, page by page.',
      tag: 'Revision 2.0',
      right: 'read',
      query: linkedObjectsParametersSchema,
      answer: foundObjectsPageSchema,
      errors: ['ApiFamilyNotFound', 'ObjectNotFound', 'LinkTypeNotFound', ...objectPageErrors],
    },
    (asked) =>
      serveLinkedObjects(service, {
        ...asked.arrived,
        primaryKey: asked.params.primaryKey,
        link: asked.params.link,
        parse: () => parseLinkedObjectsRequest(asked.query),
      }),
  ),

  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/links/:link/search',
    {
      kind: 'page',
      operationId: 'searchLinkedObjects',
      summary: 'Search around: the objects that the objects of a query are linked to, page by page.',
      details:
        'The query says where the links start; each object that they lead to comes once. The order and the selection are those of the objects that they lead to.',
      tag: 'Revision 2.0',
      right: 'read',
      body: searchRequestSchema,
      answer: foundObjectsPageSchema,
      errors: ['ApiFamilyNotFound', ...objectPageErrors, ...queryErrors],
    },
    async ({ arrived, caller, target, params, query, body }) => {
      const asked = parsePageRequest({ endpoint: 'searchObjects', parameters: query, body })
      const { link } = await linkAt(service, { caller, target, link: params.link })
      return servePage(service, {
        ...arrived,
        target: { ...target, objectType: link.to.apiName },
        parse: () => ({ ...asked, query: linkedTo(link, asked.query) }),
      })
    },
  ),

  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/links/:link/pairs',
    {
      kind: 'page',
      operationId: 'listLinkPairs',
      summary: 'List which objects of a query are linked to which, as pairs of primary keys, page by page.',
      details:
        'The pairs come in the order of the objects that hold the keys. All pairs of such an object are on one page, which is longer than `pageSize` only if one object has more pairs.',
      tag: 'Revision 2.0',
      right: 'read',
      body: linkPairsRequestSchema,
      answer: linkPairsPageSchema,
      errors: ['ApiFamilyNotFound', ...objectPageErrors, ...queryErrors],
    },
    (asked) =>
      servePairs(service, {
        ...asked.arrived,
        link: asked.params.link,
        parse: () => parsePairsRequest(asked.query, asked.body),
      }),
  ),
]
