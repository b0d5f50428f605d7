import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { snapshotRequestSchema, snapshotSchema } from '@octavo/protocol'
import { refuseUnknown, type QueryParameters } from '../../read/request/query-parameters.ts'
import { serveSnapshot } from '../../read/serve/serve-snapshot.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { abortSignalOf, releaseOnClose } from '../abort-signal.ts'
import { describedAs } from '../openapi/described-as.ts'
import { familyPath } from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

export const snapshotRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post<{ Params: { apiFamily: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/snapshots',
      describedAs({
        operationId: 'takeSnapshot',
        summary: 'Name the latest state of some object types, or an earlier one, to read all of them in it.',
        details:
          'With `at`, the state that stood at that time; with `version`, that of one object type. Both must still be kept.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyPath,
        body: snapshotRequestSchema,
        answer: snapshotSchema,
        errors: ['ApiFamilyNotFound', 'ObjectTypeNotFound', 'SnapshotTooOld', 'InvalidParameterValue'],
        example: {
          parameters: { apiFamily: 'people' },
          body: { objectTypes: ['employee', 'department'] },
          answer: {
            snapshotToken: 'AgFhVd2x8Kq0mN3h',
            versions: { employee: '41', department: '7' },
            readableUntil: '2026-05-01T10:30:00Z',
          },
        },
      }),
      async (request, reply) => {
        const caller = callerOf(request)
        refuseUnknown(Object.keys(request.query), [])
        const signal = abortSignalOf(reply)
        const { release } = await service.admission.reserve(caller.subject, signal)
        releaseOnClose(reply, signal, release)
        return serveSnapshot(service, {
          caller,
          target: { kind: 'family', ...request.params },
          body: request.body,
        })
      },
    )
  }
