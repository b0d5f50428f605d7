import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  accessTokenRecordSchema,
  accessTokenRequestSchema,
  accessTokensPageSchema,
  createdAccessTokenSchema,
  pageSizes,
} from '@octavo/protocol'
import { ServiceError } from '../../../base/errors/service-error.ts'
import { createAccessToken, readAccessTokens, revokeAccessToken } from '../../../manage/access-tokens.ts'
import { changeRegistry } from '../../../manage/change-registry.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { parseAccessTokenRequest } from '../../../read/request/parse-access.ts'
import { refuseUnknown, type QueryParameters } from '../../../read/request/query-parameters.ts'
import { serveListPage } from '../../../read/serve-list-page.ts'
import { describedAs } from '../../openapi/described-as.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'
import { accessTokenPath, pageParameters } from '../../page-parameters.ts'
import { callerOf } from '../../require-right.ts'

export const accessTokenRoutes =
  (service: ManageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { database, now, randomUuid } = service

    app.post<{ Querystring: QueryParameters }>(
      '/manage/v1/accessTokens',
      describedAs({
        operationId: 'createAccessToken',
        summary: 'Create an access token. Only this answer shows it.',
        tag: 'Manage',
        right: 'tokens',
        body: accessTokenRequestSchema,
        answer: createdAccessTokenSchema,
        hasSecret: true,
        errors: changeErrors,
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), [])
        const { subject } = callerOf(request)
        const asked = parseAccessTokenRequest(request.body, now())
        return changeRegistry(service, {
          attempt: { subject, action: 'createAccessToken' },
          work: (transaction) => createAccessToken(transaction, asked, { now, randomUuid }),
          done: ({ accessTokenId }) => ({ target: accessTokenId }),
        })
      },
    )

    app.get<{ Querystring: QueryParameters }>(
      '/manage/v1/accessTokens',
      describedAs({
        operationId: 'listAccessTokens',
        summary: 'List the access tokens, oldest first.',
        tag: 'Manage',
        right: 'tokens',
        query: pageParameters,
        answer: accessTokensPageSchema,
        errors: pagingErrors,
      }),
      async (request) => {
        const page = await serveListPage(service, {
          caller: callerOf(request),
          parameters: request.query,
          endpoint: 'listAccessTokens',
          within: '',
          sizes: pageSizes.manage,
          read: (after, count) => readAccessTokens(database, { after, count }),
          positionOf: ({ position }) => position,
        })
        return { ...page, data: page.data.map(({ record }) => record) }
      },
    )

    app.delete<{ Params: { accessTokenId: string }; Querystring: QueryParameters }>(
      '/manage/v1/accessTokens/:accessTokenId',
      describedAs({
        operationId: 'revokeAccessToken',
        summary: 'Revoke an access token. It stays in the list.',
        tag: 'Manage',
        right: 'tokens',
        path: accessTokenPath,
        answer: accessTokenRecordSchema,
        errors: ['AccessTokenNotFound', ...changeErrors],
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), [])
        const { accessTokenId } = request.params
        const { subject } = callerOf(request)
        const revoked = await changeRegistry(service, {
          attempt: { subject, action: 'revokeAccessToken', target: accessTokenId },
          work: async (transaction) => {
            const found = await revokeAccessToken(transaction, accessTokenId, now())
            if (found === undefined) throw new ServiceError('AccessTokenNotFound', { accessTokenId })
            return found
          },
        })
        await service.access.recheck()
        return revoked
      },
    )
  }
