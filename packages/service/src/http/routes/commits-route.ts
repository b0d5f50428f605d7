import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { pageSizes, typeCommitsPageSchema } from '@octavo/protocol'
import { findObjectType } from '../../catalog/find-object-type.ts'
import { invariant } from '../../base/errors/invariant.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { TypeCommits } from '../../read/rows/state/read-type-commits.ts'
import { serveListPage } from '../../read/serve/serve-list-page.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { describedAs } from '../openapi/described-as.ts'
import { pagingErrors } from '../page-errors.ts'
import { familyTypePath, unversionedListParameters } from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

export const commitsRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { store } = service
    app.get<{ Params: { apiFamily: string; objectType: string }; Querystring: QueryParameters }>(
      '/api/:apiFamily/v1/objects/types/:objectType/commits',
      describedAs({
        operationId: 'listCommits',
        summary: 'List the commits of an object type that are known, newest first.',
        details:
          'The state of each of them from `oldestReadable` on can be read: name it with its `version` or `committedAt` to get a ' +
          'snapshot token. If the object type has a policy, the commits have no counts.',
        tag: 'Revision 2.0',
        right: 'read',
        path: familyTypePath,
        query: unversionedListParameters,
        answer: typeCommitsPageSchema,
        errors: ['ApiFamilyNotFound', 'ObjectTypeNotFound', ...pagingErrors],
        example: {
          parameters: { apiFamily: 'people', objectType: 'com.example.object.person' },
          answer: {
            data: [
              {
                version: '41',
                committedAt: '2026-05-01T09:30:00Z',
                created: 9,
                updated: 3,
                deleted: 1,
                unchanged: 0,
                totalCount: '2500',
              },
            ],
            oldestReadable: { version: '12', committedAt: '2026-05-01T08:31:00Z' },
          },
        },
      }),
      async (request) => {
        const caller = callerOf(request)
        const { ontology, type } = await findObjectType(service, caller, {
          kind: 'family',
          ...request.params,
        })
        return store.catalog.withFreshType(ontology, type, async (fresh) => {
          let read: TypeCommits | undefined
          const page = await serveListPage(service, {
            caller,
            parameters: request.query,
            query: unversionedListParameters,
            endpoint: 'listCommits',
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
