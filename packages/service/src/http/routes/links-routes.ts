// What objects are linked to: from one object, from all that a query matches, and as pairs of keys.
import {
  foundObjectsPageSchema,
  linkPairsPageSchema,
  linkPairsRequestSchema,
  linkedObjectsParametersSchema,
  listedObjectsPageSchema,
  searchRequestSchema,
  listParametersSchema,
} from '@octavo/protocol'
import { parseLinkedObjectsRequest } from '../../read/request/parse-list-request.ts'
import { parsePageRequest } from '../../read/request/parse-page-request.ts'
import { parsePairsRequest } from '../../read/request/parse-search-request.ts'
import { serveLinkedObjects } from '../../read/serve/serve-linked-objects.ts'
import { servePage } from '../../read/serve/serve-page.ts'
import { servePairs } from '../../read/serve/serve-pairs.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { linkAt, linkedTo } from '../../read/walk/through-link.ts'
import { operation, type Operation } from '../operation.ts'
import { listErrors, objectPageErrors, queryErrors } from '../errors-of-operations.ts'

const described = { kind: 'page', right: 'read' } as const
const fromOneObject = {
  ...described,
  summary: 'List the objects that an object is linked to, page by page.',
} as const

export const linksOperations = (service: PageService): readonly Operation[] => [
  operation(
    'GET /api/v1/ontologies/:ontology/objects/:objectType/:primaryKey/links/:link',
    {
      ...fromOneObject,
      operationId: 'listLinkedObjects',
      details: 'They are listed as the objects of their type are, with the same parameters and limits.',
      query: listParametersSchema,
      answer: listedObjectsPageSchema,
      errors: ['ObjectNotFound', 'LinkTypeNotFound', ...listErrors],
    },
    ({ arrived, params: { primaryKey, link }, query }) =>
      serveLinkedObjects(service, {
        ...arrived,
        primaryKey,
        link,
        parse: () => parsePageRequest({ endpoint: 'listObjects', parameters: query }),
      }),
  ),

  operation(
    'GET /api/:apiFamily/v1/objects/types/:objectType/objects/:primaryKey/links/:link',
    {
      ...fromOneObject,
      operationId: 'listFamilyLinkedObjects',
      query: linkedObjectsParametersSchema,
      answer: foundObjectsPageSchema,
      errors: ['ObjectNotFound', 'LinkTypeNotFound', ...objectPageErrors],
    },
    ({ arrived, params: { primaryKey, link }, query }) =>
      serveLinkedObjects(service, {
        ...arrived,
        primaryKey,
        link,
        parse: () => parseLinkedObjectsRequest(query),
      }),
  ),

  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/links/:link/search',
    {
      ...described,
      operationId: 'searchLinkedObjects',
      summary: 'Search around: the objects that the objects of a query are linked to, page by page.',
      details:
        'The query says where the links start; each object that they lead to comes once. The order and the selection are those of the objects that they lead to.',
      body: searchRequestSchema,
      answer: foundObjectsPageSchema,
      errors: [...objectPageErrors, ...queryErrors],
    },
    async ({ arrived, caller, target, params, query, body }) => {
      const request = parsePageRequest({ endpoint: 'searchObjects', parameters: query, body })
      const { link } = await linkAt(service, { caller, target, link: params.link })
      return servePage(service, {
        ...arrived,
        target: { ...target, objectType: link.to.apiName },
        parse: () => ({ ...request, query: linkedTo(link, request.query) }),
      })
    },
  ),

  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/links/:link/pairs',
    {
      ...described,
      operationId: 'listLinkPairs',
      summary: 'List which objects of a query are linked to which, as pairs of primary keys, page by page.',
      details:
        'The pairs come in the order of the objects that hold the keys. All pairs of such an object are on one page, which is longer than `pageSize` only if one object has more pairs.',
      body: linkPairsRequestSchema,
      answer: linkPairsPageSchema,
      errors: [...objectPageErrors, ...queryErrors],
    },
    ({ arrived, params: { link }, query, body }) =>
      servePairs(service, { ...arrived, link, parse: () => parsePairsRequest(query, body) }),
  ),
]
