import { pageSizes, typeCommitsPageSchema } from '@octavo/protocol'
import { findObjectType } from '../../catalog/find-object-type.ts'
import { invariant } from '../../base/errors/invariant.ts'
import { readTypeCommits, type TypeCommits } from '../../read/rows/state/read-type-commits.ts'
import { serveListPage } from '../../read/serve/serve-list-page.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import { pagingErrors } from '../page-errors.ts'
import { unversionedListParameters } from '../page-parameters.ts'

export const commitsOperations = (service: PageService): readonly Operation[] => {
  const { store } = service
  return [
    operation(
      'GET /api/:apiFamily/v1/objects/types/:objectType/commits',
      {
        kind: 'read',
        operationId: 'listCommits',
        summary: 'List the commits of an object type that are known, newest first.',
        details:
          'The state of each of them from `oldestReadable` on can be read: name it with its `version` or `committedAt` to get a ' +
          'snapshot token. If the object type has a policy, the commits have no counts.',
        tag: 'Revision 2.0',
        right: 'read',
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
      },
      async (asked) => {
        const { ontology, type } = await findObjectType(service, asked.caller, asked.target)
        return store.catalog.withFreshType(ontology, type, async (fresh) => {
          let read: TypeCommits | undefined
          const page = await serveListPage(service, {
            ...asked.list,
            within: fresh.rid,
            sizes: pageSizes.search,
            read: async (after, most) => {
              read = await readTypeCommits(store, fresh, { before: after?.[0] ?? undefined, most })
              return read.commits
            },
            positionOf: ({ version }) => [version],
          })
          invariant(read !== undefined, 'commits-page-without-reading')
          return { ...page, oldestReadable: read.oldestReadable }
        })
      },
    ),
  ]
}
