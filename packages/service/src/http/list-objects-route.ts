import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listedObjectsPageSchema } from '@octavo/protocol'
import { parseListRequest } from '../request/parse-list-request.ts'
import type { QueryParameters } from '../request/query-parameters.ts'
import type { PageService } from '../serve-page.ts'
import { describedAs } from './described-as.ts'
import { listParameters, objectTypePath } from './page-parameters.ts'
import { replyWithPage } from './page-reply.ts'

export const listObjectsRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get<{ Params: { ontologyRid: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/v1/ontologies/:ontologyRid/objects/:objectType',
      describedAs({
        operationId: 'listObjects',
        summary: 'List the objects of a type (revision 1.0).',
        tag: 'Revision 1.0',
        path: objectTypePath,
        query: listParameters,
        answer: listedObjectsPageSchema,
      }),
      (request, reply) =>
        replyWithPage(
          service,
          { request, reply },
          { target: { kind: 'rid', ...request.params }, parse: () => parseListRequest(request.query) },
        ),
    )
  }
