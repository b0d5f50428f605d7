import { listedObjectsPageSchema } from '@octavo/protocol'
import { parsePageRequest } from '../../read/request/parse-page-request.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import { filterErrors, objectPageErrors } from '../page-errors.ts'
import { exampleOntologyRid, listParameters } from '../page-parameters.ts'
import { servePage } from '../../read/serve/serve-page.ts'

export const listObjectsOperations = (service: PageService): readonly Operation[] => [
  operation(
    'GET /api/v1/ontologies/:ontology/objects/:objectType',
    {
      kind: 'page',
      operationId: 'listObjects',
      summary: 'List the objects of a type, page by page.',
      details:
        'At most 10,000 objects over all pages of one walk; the search of revision 2.0 has no such limit. ' +
        'Properties that are arrays or structs are left out. A filter is a parameter ' +
        '`properties.{property}.{operator}={value}`, with the operators `eq`, `neq`, `lt`, `lte`, `gt`, `gte`, ' +
        '`isNull` and `contains`.',
      tag: 'Revision 1.0',
      right: 'read',
      query: listParameters,
      answer: listedObjectsPageSchema,
      errors: [
        'OntologyNotFound',
        ...objectPageErrors,
        ...filterErrors,
        'ObjectsExceededLimit',
        'InvalidSortType',
        'InvalidSortOrder',
      ],
      example: {
        parameters: {
          ontology: exampleOntologyRid,
          objectType: 'employee',
          pageSize: 2,
          snapshot: true,
        },
        answer: {
          data: [
            {
              rid: 'ri.ontology.main.object.c7a3d1f0-52b6-4b0e-8a61-0f6f2c1d9e44.31303031',
              properties: { employeeId: 1001, fullName: 'Ada Byron' },
            },
            {
              rid: 'ri.ontology.main.object.c7a3d1f0-52b6-4b0e-8a61-0f6f2c1d9e44.31303032',
              properties: { employeeId: 1002, fullName: 'Alan Mathison' },
            },
          ],
          nextPageToken: 'AQFrMTfKq0mN3hVd2x8',
          totalCount: '2500',
          version: '41',
        },
      },
    },
    (asked) =>
      servePage(service, {
        ...asked.arrived,
        parse: () => parsePageRequest({ endpoint: 'listObjects', parameters: asked.query }),
      }),
  ),
]
