import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changesPageSchema, changesRequestSchema, headers, mediaTypes } from '@octavo/protocol'
import { parseChangesRequest } from '../../read/request/parse-changes-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import { serveChanges } from '../../read/serve/serve-changes.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { abortSignalOf, eachInTime, releaseOnClose, stoppingOf, withoutHurry } from '../abort-signal.ts'
import { describedAs } from '../openapi/described-as.ts'
import { pagingErrors, queryErrors, snapshotErrors } from '../page-errors.ts'
import { familyTypePath } from '../page-parameters.ts'
import { callerOfEachStep } from '../require-right.ts'

export const changesRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const stopping = stoppingOf(app)
    app.post<{ Params: { apiFamily: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/objects/types/:objectType/changes',
      describedAs({
        operationId: 'readChanges',
        summary: 'Read what has changed since a state, page by page.',
        details:
          'The changes lead from the state of `fromSnapshotToken` to the latest one: applied to a copy of the first, they make it equal to the ' +
          'second. Each object is named at most once, as it is in the later state. The last page has a `snapshotToken` instead ' +
          'of a `nextPageToken`: keep it with the copy, and send it as the next `fromSnapshotToken`. With `waitSeconds`, the answer waits for ' +
          'a change if there is none.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyTypePath,
        body: changesRequestSchema,
        answer: changesPageSchema,
        errors: [
          'ApiFamilyNotFound',
          'ObjectTypeNotFound',
          'PropertiesNotFound',
          'QueryTooLarge',
          ...pagingErrors,
          ...snapshotErrors,
          'ChangesExpired',
          ...queryErrors,
          'LinkedQueryNotSupported',
          'ScanTimedOut',
        ],
        example: {
          parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
          body: { fromSnapshotToken: 'AgFhVd2x8Kq0mN3h', waitSeconds: 20 },
          answer: {
            data: [
              {
                type: 'put',
                primaryKey: '1001',
                object: {
                  primaryKey: '1001',
                  objectType: 'com.example.object.person',
                  title: 'Ada Byron',
                  properties: { personId: '1001', name: [{ firstName: 'Ada', lastName: 'Byron' }] },
                },
              },
              { type: 'delete', primaryKey: '1002', reason: 'deleted' },
            ],
            fromVersion: '41',
            toVersion: '43',
            snapshotToken: 'AgFhVd2x8Kq0mN4k',
            totalCount: '2499',
            checksum: '8d4f0e8e6a0f9b21',
          },
        },
      }),
      async (request, reply) => {
        const gone = abortSignalOf(reply)
        const body = await serveChanges(service, {
          requestId: request.id,
          target: { kind: 'family', ...request.params },
          parse: () => parseChangesRequest(request.query, request.body),
          caller: callerOfEachStep(request),
          inTime: eachInTime(reply, service.requestTimeoutMs),
          whileWaiting: (wait) => withoutHurry(reply.raw, () => wait({ signal: gone, stopping })),
          hold: ({ release }) => releaseOnClose(reply, gone, release),
          isGone: () => gone.aborted,
        })
        return reply.header(headers.contentType, `${mediaTypes.json}; charset=utf-8`).send(body)
      },
    )
  }
