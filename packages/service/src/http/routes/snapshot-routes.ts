import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { snapshotRequestSchema, snapshotSchema, type ErrorName } from '@octavo/protocol'
import type { TObject } from 'typebox'
import type { OntologyTarget } from '../../catalog/find-object-type.ts'
import { refuseUnknown, type QueryParameters } from '../../read/request/query-parameters.ts'
import { serveSnapshot } from '../../read/serve-snapshot.ts'
import type { PageService } from '../../read/page-service.ts'
import { abortSignalOf, releaseOnClose } from '../abort-signal.ts'
import { describedAs } from '../openapi/described-as.ts'
import type { Tag } from '../openapi/tags.ts'
import { exampleOntologyRid, familyPath, ontologyPath } from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

interface Revision {
  readonly url: string
  readonly operationId: string
  readonly tag: Tag
  readonly path: TObject
  readonly notFound: ErrorName
  readonly target: (params: Readonly<Record<string, string>>) => OntologyTarget
  readonly example: Readonly<Record<string, string>>
}

const revisions: readonly Revision[] = [
  {
    url: '/api/v1/ontologies/:ontologyRid/snapshots',
    operationId: 'takeSnapshot',
    tag: 'Revision 1.0',
    path: ontologyPath,
    notFound: 'OntologyNotFound',
    target: ({ ontologyRid = '' }) => ({ kind: 'rid', ontologyRid }),
    example: { ontologyRid: exampleOntologyRid },
  },
  {
    url: '/api/:apiFamily/v1/snapshots',
    operationId: 'takeFamilySnapshot',
    tag: 'Revision 2.0',
    path: familyPath,
    notFound: 'ApiFamilyNotFound',
    target: ({ apiFamily = '' }) => ({ kind: 'family', apiFamily }),
    example: { apiFamily: 'people' },
  },
]

export const snapshotRoutes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { url, operationId, tag, path, notFound, target, example } of revisions) {
      app.post<{ Params: Record<string, string>; Querystring: QueryParameters }>(
        url,
        describedAs({
          operationId,
          summary:
            'Name the latest state of some object types, or an earlier one, to read all of them in it.',
          details:
            'With `at`, the state that stood at that time; with `version`, that of one object type. Both must still be kept.',
          tag,
          right: 'read',
          path,
          body: snapshotRequestSchema,
          answer: snapshotSchema,
          errors: [notFound, 'ObjectTypeNotFound', 'SnapshotTooOld', 'InvalidParameterValue'],
          example: {
            parameters: example,
            body: { objectTypes: ['employee', 'department'] },
            answer: {
              snapshotToken: 'AgFhVd2x8Kq0mN3h',
              versions: { employee: '41', department: '7' },
              readableUntil: '2026-05-01T10:30:00.000Z',
            },
          },
        }),
        async (request, reply) => {
          const caller = callerOf(request)
          refuseUnknown(Object.keys(request.query), [])
          const signal = abortSignalOf(reply)
          const { release } = await service.admission.reserve(caller.subject, signal)
          releaseOnClose(reply, signal, release)
          return serveSnapshot(service, { caller, target: target(request.params), body: request.body })
        },
      )
    }
  }
