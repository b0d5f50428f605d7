import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { pageSizes, typeCommitsPageSchema, type ErrorName } from '@octavo/protocol'
import type { TObject } from 'typebox'
import { findObjectType, type PageTarget } from '../../catalog/find-object-type.ts'
import { invariant } from '../../base/errors/invariant.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { TypeCommits } from '../../read/rows/read-type-commits.ts'
import { serveListPage } from '../../read/serve-list-page.ts'
import type { PageService } from '../../read/page-service.ts'
import { describedAs } from '../openapi/described-as.ts'
import type { Tag } from '../openapi/tags.ts'
import { pagingErrors } from '../page-errors.ts'
import { exampleOntologyRid, familyTypePath, objectTypePath, pageParameters } from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

interface Revision {
  readonly url: string
  readonly operationId: string
  readonly tag: Tag
  readonly path: TObject
  readonly notFound: ErrorName
  readonly target: (params: Readonly<Record<string, string>>) => PageTarget
  readonly example: Readonly<Record<string, string>>
}

const revisions: readonly Revision[] = [
  {
    url: '/api/v1/ontologies/:ontologyRid/objectTypes/:objectType/commits',
    operationId: 'listTypeCommits',
    tag: 'Revision 1.0',
    path: objectTypePath,
    notFound: 'OntologyNotFound',
    target: ({ ontologyRid = '', objectType = '' }) => ({ kind: 'rid', ontologyRid, objectType }),
    example: { ontologyRid: exampleOntologyRid, objectType: 'employee' },
  },
  {
    url: '/api/:apiFamily/v1/objects/types/:objectType/commits',
    operationId: 'listFamilyTypeCommits',
    tag: 'Revision 2.0',
    path: familyTypePath,
    notFound: 'ApiFamilyNotFound',
    target: ({ apiFamily = '', objectType = '' }) => ({ kind: 'family', apiFamily, objectType }),
    example: { apiFamily: 'people', objectType: 'com.example.object.person' },
  },
]

export const commitsRoutes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { store } = service
    for (const { url, operationId, tag, path, notFound, target, example } of revisions) {
      app.get<{ Params: Record<string, string>; Querystring: QueryParameters }>(
        url,
        describedAs({
          operationId,
          summary: 'List the commits of an object type that are known, newest first.',
          details:
            'The state of each of them from `oldestReadable` on can be read: name it with its `version` or `committedAt` to get a ' +
            'snapshot token. If the object type has a policy, the commits have no counts.',
          tag,
          right: 'read',
          path,
          query: pageParameters,
          answer: typeCommitsPageSchema,
          errors: [notFound, 'ObjectTypeNotFound', ...pagingErrors],
          example: {
            parameters: example,
            answer: {
              data: [
                {
                  version: '41',
                  committedAt: '2026-05-01T09:30:00Z',
                  put: 12,
                  deleted: 1,
                  totalCount: '2500',
                },
              ],
              oldestReadable: { version: '12', committedAt: '2026-05-01T08:31:00Z' },
            },
          },
        }),
        async (request) => {
          const caller = callerOf(request)
          const { ontology, type } = await findObjectType(service, caller, target(request.params))
          return store.catalog.withFreshType(ontology, type, async (fresh) => {
            let read: TypeCommits | undefined
            const page = await serveListPage(service, {
              caller,
              parameters: request.query,
              endpoint: operationId,
              within: fresh.rid,
              sizes: pageSizes.search,
              read: async (after, most) => {
                read = await store.readTypeCommits(fresh, { before: after?.[0] ?? undefined, most })
                return read.commits
              },
              positionOf: ({ version }) => [version],
            })
            invariant(read !== undefined, 'commits-page-without-reading')
            return { ...page, oldestReadable: read.oldestReadable }
          })
        },
      )
    }
  }
