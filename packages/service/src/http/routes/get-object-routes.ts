import { listedObjectSchema, objectParametersSchema, readObjectSchema } from '@octavo/protocol'
import { parseSnapshotToken } from '../../read/request/parse-paging.ts'
import { listOfValues, oneValue, refuseUnknown } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveObject } from '../../read/serve/serve-object.ts'
import { operation, type Operation } from '../operation.ts'
import { exampleOntologyRid, objectParameters } from '../page-parameters.ts'
import { snapshotErrors } from '../page-errors.ts'

export const getObjectOperations = (service: PageService): readonly Operation[] => [
  operation(
    'GET /api/v1/ontologies/:ontology/objects/:objectType/:primaryKey',
    {
      kind: 'page',
      operationId: 'getObject',
      summary: 'Read one object by its primary key.',
      tag: 'Revision 1.0',
      right: 'read',
      query: objectParameters,
      answer: listedObjectSchema,
      hasTag: true,
      errors: [
        'OntologyNotFound',
        'ObjectTypeNotFound',
        'ObjectNotFound',
        'PropertiesNotFound',
        ...snapshotErrors,
      ],
      example: {
        parameters: { ontology: exampleOntologyRid, objectType: 'employee', primaryKey: '1001' },
        answer: {
          rid: 'ri.ontology.main.object.c7a3d1f0-52b6-4b0e-8a61-0f6f2c1d9e44.31303031',
          properties: { employeeId: 1001, fullName: 'Ada Byron' },
        },
      },
    },
    ({ arrived, params, query }) => {
      refuseUnknown(Object.keys(query), Object.keys(objectParameters.properties))
      return serveObject(service, {
        ...arrived,
        primaryKey: params.primaryKey,
        endpoint: 'getObject',
        record: '1.0',
        select: listOfValues(query, 'properties'),
        snapshotToken: parseSnapshotToken(oneValue(query, 'snapshotToken')),
      })
    },
  ),

  operation(
    'GET /api/:apiFamily/v1/objects/types/:objectType/objects/:primaryKey',
    {
      kind: 'page',
      operationId: 'getFamilyObject',
      summary: 'Read one object by its primary key.',
      tag: 'Revision 2.0',
      right: 'read',
      query: objectParametersSchema,
      answer: readObjectSchema,
      hasTag: true,
      errors: [
        'ApiFamilyNotFound',
        'ObjectTypeNotFound',
        'ObjectNotFound',
        'PropertiesNotFound',
        ...snapshotErrors,
      ],
      example: {
        parameters: { apiFamily: 'people', objectType: 'com.example.object.person', primaryKey: '1001' },
        answer: {
          primaryKey: '1001',
          objectType: 'com.example.object.person',
          title: 'Ada Byron',
          properties: { fullName: 'Ada Byron', personId: '1001' },
          checksum: '0d1a6f7b52c94e08',
        },
      },
    },
    ({ arrived, params, query }) => {
      refuseUnknown(Object.keys(query), Object.keys(objectParametersSchema.properties))
      return serveObject(service, {
        ...arrived,
        primaryKey: params.primaryKey,
        endpoint: 'getObject',
        record: '2.0',
        select: listOfValues(query, 'select'),
        snapshotToken: parseSnapshotToken(oneValue(query, 'snapshotToken')),
      })
    },
  ),
]
