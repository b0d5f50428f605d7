import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { mediaTypes, objectVersionsPageSchema, versionsParametersSchema } from '@octavo/protocol'
import { parseVersionsRequest } from '../../read/request/parse-versions-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveVersions } from '../../read/serve/serve-versions.ts'
import { abortSignalOf, releaseOnClose } from '../abort-signal.ts'
import { describedAs } from '../openapi/described-as.ts'
import { pagingErrors } from '../page-errors.ts'
import { familyObjectPath } from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

export const versionsRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get<{
      Params: { apiFamily: string; objectType: string; primaryKey: string }
      Querystring: QueryParameters
    }>(
      '/api/:apiFamily/v1/objects/types/:objectType/objects/:primaryKey/versions',
      describedAs({
        operationId: 'listObjectVersions',
        summary: 'List the versions of one object that are kept, newest first.',
        details:
          'A `put` is a state of the object: it began with the commit `version` and ended with the commit `untilVersion`, unless it still stands. ' +
          'A `delete` is a time without the object. `oldestReadable` says where knowledge ends: what had ended by then is not listed.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyObjectPath,
        query: versionsParametersSchema,
        answer: objectVersionsPageSchema,
        errors: [
          'ApiFamilyNotFound',
          'ObjectTypeNotFound',
          'ObjectNotFound',
          'PropertiesNotFound',
          'ConsistentSnapshotError',
          ...pagingErrors,
        ],
        example: {
          parameters: { apiFamily: 'people', objectType: 'com.example.object.person', primaryKey: '1001' },
          answer: {
            data: [
              { type: 'delete', version: '41', committedAt: '2026-05-01T09:30:00Z' },
              {
                type: 'put',
                version: '17',
                committedAt: '2026-05-01T09:10:00Z',
                untilVersion: '41',
                object: {
                  primaryKey: '1001',
                  objectType: 'com.example.object.person',
                  title: 'Ada Byron',
                  properties: { fullName: 'Ada Byron', personId: '1001' },
                },
              },
            ],
            version: '43',
            oldestReadable: { version: '12', committedAt: '2026-05-01T08:31:00Z' },
          },
        },
      }),
      async (request, reply) => {
        const { primaryKey, ...params } = request.params
        const signal = abortSignalOf(reply, service.requestTimeoutMs)
        const body = await serveVersions(service, {
          requestId: request.id,
          caller: callerOf(request),
          target: { kind: 'family', ...params },
          primaryKey,
          parse: () => parseVersionsRequest(request.query),
          signal,
          hold: ({ release }) => releaseOnClose(reply, signal, release),
        })
        return reply.header('content-type', `${mediaTypes.json}; charset=utf-8`).send(body)
      },
    )
  }
