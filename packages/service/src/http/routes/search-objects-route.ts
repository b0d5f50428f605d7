import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { foundObjectsPageSchema, searchRequestSchema } from '@octavo/protocol'
import { parsePageRequest } from '../../read/request/parse-page-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { describedAs } from '../openapi/described-as.ts'
import { objectPageErrors, queryErrors } from '../page-errors.ts'
import { familyTypePath } from '../page-parameters.ts'
import { replyWithPage } from '../page-reply.ts'

export const searchObjectsRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post<{ Params: { apiFamily: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/objects/types/:objectType/search',
      describedAs({
        operationId: 'searchObjects',
        summary: 'Search the objects of a type, page by page.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyTypePath,
        body: searchRequestSchema,
        answer: foundObjectsPageSchema,
        errors: ['ApiFamilyNotFound', ...objectPageErrors, ...queryErrors],
        example: {
          parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
          body: {
            query: { type: 'eq', field: 'name:lastName', value: 'Byron' },
            select: ['name'],
            pageSize: 1,
          },
          answer: {
            data: [
              {
                primaryKey: '1001',
                objectType: 'com.example.object.person',
                title: 'Ada Byron',
                properties: { personId: '1001', name: [{ firstName: 'Ada', lastName: 'Byron' }] },
              },
            ],
            nextPageToken: 'AQFrMTe1kZC0WQm9fYw',
            version: '41',
          },
        },
      }),
      (request, reply) => {
        const target = { kind: 'family', ...request.params } as const
        const input = { endpoint: 'searchObjects', parameters: request.query, body: request.body } as const
        return replyWithPage(service, { request, reply }, { target, parse: () => parsePageRequest(input) })
      },
    )
  }
