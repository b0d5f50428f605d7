import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { foundObjectsPageSchema, searchRequestSchema } from '@octavo/protocol'
import { parseSearchRequest } from '../request/parse-search-request.ts'
import { refuseUnknown, type QueryParameters } from '../request/query-parameters.ts'
import type { PageService } from '../serve-page.ts'
import { describedAs } from './described-as.ts'
import { familyTypePath } from './page-parameters.ts'
import { replyWithPage } from './page-reply.ts'

export const searchObjectsRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post<{ Params: { apiFamily: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/objects/types/:objectType/search',
      describedAs({
        operationId: 'searchObjects',
        summary: 'Search the objects of a type (revision 2.0).',
        tag: 'Revision 2.0',
        path: familyTypePath,
        body: searchRequestSchema,
        answer: foundObjectsPageSchema,
      }),
      (request, reply) =>
        replyWithPage(
          service,
          { request, reply },
          {
            target: { kind: 'family', ...request.params },
            parse: () => {
              refuseUnknown(Object.keys(request.query), [])
              return parseSearchRequest(request.body)
            },
          },
        ),
    )
  }
