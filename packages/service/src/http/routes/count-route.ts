import { countRequestSchema, countSchema } from '@octavo/protocol'
import { parseCountRequest } from '../../read/request/parse-search-request.ts'
import { serveCount } from '../../read/serve/serve-count.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import { queryErrors, snapshotErrors } from '../page-errors.ts'

export const countOperations = (service: PageService): readonly Operation[] => [
  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/count',
    {
      kind: 'page',
      operationId: 'countObjects',
      summary: 'Count the objects of a type that match.',
      details:
        'Exact without a filter, and up to 10,000 matches with one; `totalCountIsLowerBound` says that there may be more. ' +
        'The answer names the version that was counted.',
      tag: 'Revision 2.0',
      right: 'read',
      body: countRequestSchema,
      answer: countSchema,
      errors: [
        'ApiFamilyNotFound',
        'ObjectTypeNotFound',
        'PropertiesNotFound',
        'QueryTooLarge',
        ...snapshotErrors,
        ...queryErrors,
      ],
      example: {
        parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
        body: { query: { type: 'eq', field: 'name:lastName', value: 'Byron' } },
        answer: { totalCount: '2500', version: '41' },
      },
    },
    (asked) =>
      serveCount(service, {
        ...asked.arrived,
        parse: () => parseCountRequest(asked.query, asked.body),
      }),
  ),
]
