import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
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
import { parseLinkedObjectsRequest } from '../../read/request/parse-linked-objects-request.ts'
import { parsePageRequest } from '../../read/request/parse-page-request.ts'
import { parsePairsRequest } from '../../read/request/parse-pairs-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { describedAs } from '../openapi/described-as.ts'
import { filterErrors, objectPageErrors, queryErrors } from '../page-errors.ts'
import { familyLinkPath, familyObjectLinkPath, listParameters, objectLinkPath } from '../page-parameters.ts'
import { replyWith, replyWithPage } from '../page-reply.ts'
import { callerOf } from '../require-right.ts'

interface FamilyObject {
  readonly Params: { readonly apiFamily: string; readonly objectType: string; readonly primaryKey: string }
  readonly Querystring: QueryParameters
}

interface FamilyLink {
  readonly Params: { readonly apiFamily: string; readonly objectType: string; readonly link: string }
  readonly Querystring: QueryParameters
}

/** What objects are linked to: from one object, from all that a query matches, and as pairs of keys. */
export const linksRoutes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get<{
      Params: { ontology: string; objectType: string; primaryKey: string; link: string }
      Querystring: QueryParameters
    }>(
      '/api/v1/ontologies/:ontology/objects/:objectType/:primaryKey/links/:link',
      describedAs({
        operationId: 'listLinkedObjects',
        summary: 'List the objects that an object is linked to, page by page.',
        details: 'They are listed as the objects of their type are, with the same parameters and limits.',
        tag: 'Revision 1.0',
        right: 'read',
        path: objectLinkPath,
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
      }),
      (request, reply) => {
        const { primaryKey, link, ...params } = request.params
        return replyWith(service, { request, reply }, (arrived) =>
          serveLinkedObjects(service, {
            ...arrived,
            target: { kind: 'ontology', ...params },
            primaryKey,
            link,
            parse: () => parsePageRequest({ endpoint: 'listObjects', parameters: request.query }),
          }),
        )
      },
    )

    app.get<FamilyObject & { Params: { link: string } }>(
      '/api/:apiFamily/v1/objects/types/:objectType/objects/:primaryKey/links/:link',
      describedAs({
        operationId: 'listFamilyLinkedObjects',
        summary: 'List the objects that an object is linked to, page by page.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyObjectLinkPath,
        query: linkedObjectsParametersSchema,
        answer: foundObjectsPageSchema,
        errors: ['ApiFamilyNotFound', 'ObjectNotFound', 'LinkTypeNotFound', ...objectPageErrors],
      }),
      (request, reply) => {
        const { primaryKey, link, ...params } = request.params
        return replyWith(service, { request, reply }, (arrived) =>
          serveLinkedObjects(service, {
            ...arrived,
            target: { kind: 'family', ...params },
            primaryKey,
            link,
            parse: () => parseLinkedObjectsRequest(request.query),
          }),
        )
      },
    )

    app.post<FamilyLink>(
      '/api/:apiFamily/v1/objects/types/:objectType/links/:link/search',
      describedAs({
        operationId: 'searchLinkedObjects',
        summary: 'Search around: the objects that the objects of a query are linked to, page by page.',
        details:
          'The query says where the links start; each object that they lead to comes once. The order and the selection are those of the objects that they lead to.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyLinkPath,
        body: searchRequestSchema,
        answer: foundObjectsPageSchema,
        errors: ['ApiFamilyNotFound', ...objectPageErrors, ...queryErrors],
      }),
      async (request, reply) => {
        const { link: name, ...params } = request.params
        const input = { endpoint: 'searchObjects', parameters: request.query, body: request.body } as const
        const target = { kind: 'family', ...params } as const
        const asked = parsePageRequest(input)
        const { link } = await linkAt(service, { caller: callerOf(request), target, link: name })
        const question = {
          target: { ...target, objectType: link.to.apiName },
          parse: () => ({ ...asked, query: linkedTo(link, asked.query) }),
        }
        return replyWithPage(service, { request, reply }, question)
      },
    )

    app.post<FamilyLink>(
      '/api/:apiFamily/v1/objects/types/:objectType/links/:link/pairs',
      describedAs({
        operationId: 'listLinkPairs',
        summary: 'List which objects of a query are linked to which, as pairs of primary keys, page by page.',
        details:
          'The pairs come in the order of the objects that hold the keys. All pairs of such an object are on one page, which is longer than `pageSize` only if one object has more pairs.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyLinkPath,
        body: linkPairsRequestSchema,
        answer: linkPairsPageSchema,
        errors: ['ApiFamilyNotFound', ...objectPageErrors, ...queryErrors],
      }),
      (request, reply) => {
        const { link, ...params } = request.params
        return replyWith(service, { request, reply }, (arrived) =>
          servePairs(service, {
            ...arrived,
            target: { kind: 'family', ...params },
            link,
            parse: () => parsePairsRequest(request.query, request.body),
          }),
        )
      },
    )
  }
