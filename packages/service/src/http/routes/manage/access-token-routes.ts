import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  accessTokenRecordSchema,
  accessTokenRequestSchema,
  accessTokensPageSchema,
  createdAccessTokenSchema,
  pageSizes,
} from '@octavo/protocol'
import { ServiceError } from '../../../base/errors/service-error.ts'
import {
  createAccessToken,
  readAccessToken,
  readAccessTokens,
  revokeAccessToken,
} from '../../../manage/access-tokens.ts'
import { changeRegistry } from '../../../manage/change-registry.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { parseAccessTokenRequest } from '../../../read/request/parse-access.ts'
import { refuseUnknown, type QueryParameters } from '../../../read/request/query-parameters.ts'
import { serveListPage } from '../../../read/serve/serve-list-page.ts'
import { created } from '../../created.ts'
import { describedAs } from '../../openapi/described-as.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'
import { accessTokenPath, pageParameters } from '../../page-parameters.ts'
import { callerOf } from '../../require-right.ts'

interface OfToken {
  Params: { accessTokenId: string }
  Querystring: QueryParameters
}

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
        creates: 'always',
        hasSecret: true,
        errors: changeErrors,
      }),
      async (request, reply) => {
        refuseUnknown(Object.keys(request.query), [])
        const { subject } = callerOf(request)
        const asked = parseAccessTokenRequest(request.body, now())
        const token = await changeRegistry(service, {
          attempt: { subject, action: 'createAccessToken' },
          work: (transaction) => createAccessToken(transaction, asked, { now, randomUuid }),
          done: ({ accessTokenId }) => ({ details: { accessTokenId } }),
        })
        return created(reply, `/manage/v1/accessTokens/${token.accessTokenId}`, token)
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
          query: pageParameters,
          endpoint: 'listAccessTokens',
          within: '',
          sizes: pageSizes.manage,
          read: (after, count) => readAccessTokens(database, { after, count }),
          positionOf: ({ position }) => position,
        })
        return { ...page, data: page.data.map(({ record }) => record) }
      },
    )

    app.get<OfToken>(
      '/manage/v1/accessTokens/:accessTokenId',
      describedAs({
        operationId: 'getAccessToken',
        summary: 'Read what is known of an access token; the token itself is not.',
        tag: 'Manage',
        right: 'tokens',
        path: accessTokenPath,
        answer: accessTokenRecordSchema,
        errors: ['AccessTokenNotFound'],
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), [])
        const { accessTokenId } = request.params
        const found = await readAccessToken(database, accessTokenId)
        if (found === undefined) throw new ServiceError('AccessTokenNotFound', { accessTokenId })
        return found
      },
    )

    app.delete<OfToken>(
      '/manage/v1/accessTokens/:accessTokenId',
      describedAs({
        operationId: 'revokeAccessToken',
        summary: 'Revoke an access token. It stays in the list.',
        tag: 'Manage',
        right: 'tokens',
        path: accessTokenPath,
        errors: ['AccessTokenNotFound', ...changeErrors],
      }),
      async (request, reply) => {
        refuseUnknown(Object.keys(request.query), [])
        const { accessTokenId } = request.params
        const { subject } = callerOf(request)
        await changeRegistry(service, {
          attempt: { subject, action: 'revokeAccessToken', details: { accessTokenId } },
          work: async (transaction) => {
            const found = await revokeAccessToken(transaction, accessTokenId, now())
            if (found === undefined) throw new ServiceError('AccessTokenNotFound', { accessTokenId })
            return found
          },
        })
        await service.access.recheck()
        return reply.code(204).send()
      },
    )
  }
