import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { foundVersionsPageSchema, mediaTypes, versionsRequestSchema } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageTarget } from '../../catalog/find-object-type.ts'
import { parseVersionsRequest, type VersionsRequest } from '../../read/request/parse-versions-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { PageService } from '../../read/page-service.ts'
import { serveVersions } from '../../read/serve-versions.ts'
import { abortSignalOf, releaseOnClose } from '../abort-signal.ts'
import { describedAs } from '../openapi/described-as.ts'
import { pagingErrors } from '../page-errors.ts'
import { familyTypePath } from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

const summary = 'List the versions of one object that are kept, newest first.'
const details =
  'A `put` is a state of the object: it began with the commit `version` and ended with the commit `untilVersion`, unless it still stands. ' +
  'A `delete` is a time without the object. `oldestReadable` says where knowledge ends: what had ended by then is not listed.'
const errors = [
  'ObjectTypeNotFound',
  'ObjectNotFound',
  'PropertiesNotFound',
  'ConsistentSnapshotError',
  ...pagingErrors,
] as const
const times = { version: '41', committedAt: '2026-05-01T09:30:00Z' }
const earlier = { version: '17', committedAt: '2026-05-01T09:10:00Z', untilVersion: '41' }
const envelope = {
  version: '43',
  oldestReadable: { version: '12', committedAt: '2026-05-01T08:31:00Z' },
}

export const versionsRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const reply = async (
      to: { readonly request: FastifyRequest; readonly reply: FastifyReply },
      target: PageTarget,
      parse: () => VersionsRequest,
    ) => {
      const signal = abortSignalOf(to.reply, service.requestTimeoutMs)
      const body = await serveVersions(service, {
        requestId: to.request.id,
        caller: callerOf(to.request),
        target,
        parse,
        signal,
        hold: ({ release }) => releaseOnClose(to.reply, signal, release),
      })
      return to.reply.header('content-type', `${mediaTypes.json}; charset=utf-8`).send(body)
    }

    app.post<{ Params: { apiFamily: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/objects/types/:objectType/versions',
      {
        ...describedAs({
          operationId: 'listObjectVersions',
          summary,
          details,
          tag: 'Revision 2.0',
          right: 'read',
          path: familyTypePath,
          body: versionsRequestSchema,
          answer: foundVersionsPageSchema,
          errors: ['ApiFamilyNotFound', ...errors],
          example: {
            parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
            body: { primaryKey: '1001' },
            answer: {
              data: [
                { type: 'delete', ...times },
                {
                  type: 'put',
                  ...earlier,
                  primaryKey: '1001',
                  objectType: 'com.example.object.person',
                  title: 'Ada Byron',
                  properties: { fullName: 'Ada Byron', personId: '1001' },
                },
              ],
              ...envelope,
            },
          },
        }),
        // The body of a request that would be refused is not read.
        onRequest: async (request) => service.admission.refuseEarly(callerOf(request).subject),
      },
      (request, itsReply) =>
        reply({ request, reply: itsReply }, { kind: 'family', ...request.params }, () =>
          parseVersionsRequest(request.query, request.body),
        ),
    )
  }
