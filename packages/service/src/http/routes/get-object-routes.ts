import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listedObjectSchema, mediaTypes, objectParametersSchema, readObjectSchema } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseSnapshotToken } from '../../read/request/parse-snapshot-token.ts'
import {
  listOfValues,
  oneValue,
  refuseUnknown,
  type QueryParameters,
} from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveObject, type ObjectArrival } from '../../read/serve/serve-object.ts'
import { describedAs } from '../openapi/described-as.ts'
import { exampleOntologyRid, familyObjectPath, objectParameters, objectPath } from '../page-parameters.ts'
import { snapshotErrors } from '../page-errors.ts'
import { abortSignalOf, releaseOnClose } from '../abort-signal.ts'
import { callerOf } from '../require-right.ts'

export const getObjectRoutes =
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
      (request, reply) => {
        const { params, query } = request
        refuseUnknown(Object.keys(query), Object.keys(objectParameters.properties))
        return replyWithObject(
          service,
          { request, reply },
          {
            target: { kind: 'ontology', ...params },
            primaryKey: params.primaryKey,
            record: 'listed',
            select: listOfValues(query, 'properties'),
            snapshotToken: oneValue(query, 'snapshotToken'),
          },
        )
      },
    )

    app.get<{
      Params: { apiFamily: string; objectType: string; primaryKey: string }
      Querystring: QueryParameters
    }>(
      '/api/:apiFamily/v1/objects/types/:objectType/objects/:primaryKey',
      describedAs({
        operationId: 'getFamilyObject',
        summary: 'Read one object by its primary key.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyObjectPath,
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
      }),
      (request, reply) => {
        const { params, query } = request
        refuseUnknown(Object.keys(query), Object.keys(objectParametersSchema.properties))
        return replyWithObject(
          service,
          { request, reply },
          {
            target: { kind: 'family', ...params },
            primaryKey: params.primaryKey,
            record: 'found',
            select: listOfValues(query, 'select'),
            snapshotToken: oneValue(query, 'snapshotToken'),
          },
        )
      },
    )
  }

interface Answering {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function replyWithObject(
  service: PageService,
  { request, reply }: Answering,
  asked: Pick<ObjectArrival, 'target' | 'primaryKey' | 'record' | 'select' | 'snapshotToken'>,
): Promise<FastifyReply> {
  const signal = abortSignalOf(reply)
  const object = await serveObject(service, {
    ...asked,
    requestId: request.id,
    caller: callerOf(request),
    endpoint: 'getObject',
    snapshotToken: parseSnapshotToken(asked.snapshotToken),
    signal,
    hold: ({ release }) => releaseOnClose(reply, signal, release),
  })
  return reply.header('content-type', `${mediaTypes.json}; charset=utf-8`).send(object)
}
