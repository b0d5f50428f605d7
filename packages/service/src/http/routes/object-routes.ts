// The objects of one type: page by page, one of them, and its versions.
import {
  foundObjectsPageSchema,
  listedObjectSchema,
  listedObjectsPageSchema,
  objectParametersSchema,
  objectVersionsPageSchema,
  readObjectSchema,
  searchRequestSchema,
  versionsParametersSchema,
  listParametersSchema,
} from '@octavo/protocol'
import { Type } from 'typebox'
import { parsePageRequest } from '../../read/request/parse-page-request.ts'
import { parseSnapshotToken } from '../../read/request/parse-paging.ts'
import { parseVersionsRequest } from '../../read/request/parse-list-request.ts'
import { listOfValues, oneValue, refuseUnknown } from '../../read/request/query-parameters.ts'
import { serveObject } from '../../read/serve/serve-object.ts'
import { servePage } from '../../read/serve/serve-page.ts'
import { serveVersions } from '../../read/serve/serve-versions.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import {
  listErrors,
  objectPageErrors,
  pagingErrors,
  queryErrors,
  snapshotErrors,
} from '../errors-of-operations.ts'
import {
  employee,
  employees,
  oldestReadable,
  people,
  personWithFullName,
  personWithName,
} from '../openapi/examples.ts'

const described = { kind: 'page', right: 'read' } as const

const {
  pageSize: _size,
  pageToken: _token,
  snapshot: _mode,
  orderBy: _order,
  ...ofOne
} = listParametersSchema.properties
const listedObjectParametersSchema = Type.Object(ofOne)

/** Both revisions read one object, each in its own shape. */
const readOne = [
  {
    address: 'GET /api/v1/ontologies/:ontology/objects/:objectType/:primaryKey',
    operationId: 'getObject',
    record: '1.0',
    selection: 'properties',
    query: listedObjectParametersSchema,
    answer: listedObjectSchema,
    example: { parameters: { ...employees, primaryKey: '1001' }, answer: employee(1001, 'Ada Byron') },
  },
  {
    address: 'GET /api/:apiFamily/v1/objects/types/:objectType/objects/:primaryKey',
    operationId: 'getFamilyObject',
    record: '2.0',
    selection: 'select',
    query: objectParametersSchema,
    answer: readObjectSchema,
    example: {
      parameters: { ...people, primaryKey: '1001' },
      answer: { ...personWithFullName, checksum: '0d1a6f7b52c94e08' },
    },
  },
] as const

export const objectOperations = (service: PageService): readonly Operation[] => [
  operation(
    'GET /api/v1/ontologies/:ontology/objects/:objectType',
    {
      ...described,
      operationId: 'listObjects',
      summary: 'List the objects of a type, page by page.',
      details:
        'At most 10,000 objects over all pages of one walk; the search of revision 2.0 has no such limit. ' +
        'Properties that are arrays or structs are left out. A filter is a parameter ' +
        '`properties.{property}.{operator}={value}`, with the operators `eq`, `neq`, `lt`, `lte`, `gt`, `gte`, ' +
        '`isNull` and `contains`.',
      query: listParametersSchema,
      answer: listedObjectsPageSchema,
      errors: listErrors,
      example: {
        parameters: { ...employees, pageSize: 2, snapshot: true },
        answer: {
          data: [employee(1001, 'Ada Byron'), employee(1002, 'Alan Mathison')],
          nextPageToken: 'AQFrMTfKq0mN3hVd2x8',
          totalCount: '2500',
          version: '41',
        },
      },
    },
    ({ arrived, query }) =>
      servePage(service, {
        ...arrived,
        parse: () => parsePageRequest({ endpoint: 'listObjects', parameters: query }),
      }),
  ),

  ...readOne.map(({ address, operationId, record, selection, query: declared, answer, example }) =>
    operation(
      address,
      {
        ...described,
        operationId,
        summary: 'Read one object by its primary key.',
        query: declared,
        answer,
        hasTag: true,
        errors: ['ObjectTypeNotFound', 'ObjectNotFound', 'PropertiesNotFound', ...snapshotErrors],
        example,
      },
      ({ arrived, params, query }) => {
        refuseUnknown(Object.keys(query), Object.keys(declared.properties))
        return serveObject(service, {
          ...arrived,
          primaryKey: params.primaryKey,
          endpoint: 'getObject',
          record,
          select: listOfValues(query, selection),
          snapshotToken: parseSnapshotToken(oneValue(query, 'snapshotToken')),
        })
      },
    ),
  ),

  operation(
    'GET /api/:apiFamily/v1/objects/types/:objectType/objects/:primaryKey/versions',
    {
      ...described,
      operationId: 'listObjectVersions',
      summary: 'List the versions of one object that are kept, newest first.',
      details:
        'A `put` is a state of the object: it began with the commit `version` and ended with the commit `untilVersion`, unless it still stands. ' +
        'A `delete` is a time without the object. `oldestReadable` says where knowledge ends: what had ended by then is not listed.',
      query: versionsParametersSchema,
      answer: objectVersionsPageSchema,
      errors: [
        'ObjectTypeNotFound',
        'ObjectNotFound',
        'PropertiesNotFound',
        'ConsistentSnapshotError',
        ...pagingErrors,
      ],
      example: {
        parameters: { ...people, primaryKey: '1001' },
        answer: {
          data: [
            { type: 'delete', version: '41', committedAt: '2026-05-01T09:30:00Z' },
            {
              type: 'put',
              version: '17',
              committedAt: '2026-05-01T09:10:00Z',
              untilVersion: '41',
              object: personWithFullName,
            },
          ],
          version: '43',
          oldestReadable,
        },
      },
    },
    ({ arrived, params, query }) =>
      serveVersions(service, {
        ...arrived,
        primaryKey: params.primaryKey,
        parse: () => parseVersionsRequest(query),
      }),
  ),

  operation(
    'POST /api/:apiFamily/v1/objects/types/:objectType/search',
    {
      ...described,
      operationId: 'searchObjects',
      summary: 'Search the objects of a type, page by page.',
      body: searchRequestSchema,
      answer: foundObjectsPageSchema,
      errors: [...objectPageErrors, ...queryErrors],
      example: {
        parameters: people,
        body: {
          query: { type: 'eq', field: 'name:lastName', value: 'Byron' },
          select: ['name'],
          pageSize: 1,
        },
        answer: { data: [personWithName], nextPageToken: 'AQFrMTe1kZC0WQm9fYw', version: '41' },
      },
    },
    ({ arrived, query, body }) =>
      servePage(service, {
        ...arrived,
        parse: () => parsePageRequest({ endpoint: 'searchObjects', parameters: query, body }),
      }),
  ),
]
