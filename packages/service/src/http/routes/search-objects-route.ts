import { foundObjectsPageSchema, searchRequestSchema } from '@octavo/protocol'
import { parsePageRequest } from '../../read/request/parse-page-request.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import { objectPageErrors, queryErrors } from '../page-errors.ts'
import { servePage } from '../../read/serve/serve-page.ts'

export const searchObjectsOperations = (service: PageService): readonly Operation[] => [
  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/search',
    {
      kind: 'page',
      operationId: 'searchObjects',
      summary: 'Search the objects of a type, page by page.',
      tag: 'Revision 2.0',
      right: 'read',
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
    },
    (asked) =>
      servePage(service, {
        ...asked.arrived,
        parse: () =>
          parsePageRequest({ endpoint: 'searchObjects', parameters: asked.query, body: asked.body }),
      }),
  ),
]
