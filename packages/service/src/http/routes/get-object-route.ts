import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listedObjectSchema, mediaTypes } from '@octavo/protocol'
import { parseSnapshotToken } from '../../read/request/parse-snapshot-token.ts'
import {
  listOfValues,
  oneValue,
  refuseUnknown,
  type QueryParameters,
} from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/page-service.ts'
import { serveObject } from '../../read/serve-object.ts'
import { describedAs } from '../openapi/described-as.ts'
import { exampleOntologyRid, objectParameters, objectPath } from '../page-parameters.ts'
import { snapshotErrors } from '../page-errors.ts'
import { abortSignalOf, releaseOnClose } from '../abort-signal.ts'
import { callerOf } from '../require-right.ts'

export const getObjectRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get<{
      Params: { ontology: string; objectType: string; primaryKey: string }
      Querystring: QueryParameters
    }>(
      '/api/v1/ontologies/:ontology/objects/:objectType/:primaryKey',
      describedAs({
        operationId: 'getObject',
        summary: 'Read one object by its primary key.',
        tag: 'Revision 1.0',
        right: 'read',
        path: objectPath,
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
      }),
      async (request, reply) => {
        const { params, query } = request
        refuseUnknown(Object.keys(query), Object.keys(objectParameters.properties))
        const signal = abortSignalOf(reply)
        const record = await serveObject(service, {
          requestId: request.id,
          caller: callerOf(request),
          target: { kind: 'ontology', ...params },
          primaryKey: params.primaryKey,
          endpoint: 'getObject',
          record: 'listed',
          select: listOfValues(query, 'properties'),
          snapshotToken: parseSnapshotToken(oneValue(query, 'snapshotToken')),
          signal,
          hold: ({ release }) => releaseOnClose(reply, signal, release),
        })
        return reply.header('content-type', `${mediaTypes.json}; charset=utf-8`).send(record)
      },
    )
  }
