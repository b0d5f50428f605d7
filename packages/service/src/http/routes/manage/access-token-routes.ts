import {
  accessTokenRecordSchema,
  accessTokenRequestSchema,
  accessTokensPageSchema,
  createdAccessTokenSchema,
  pageSizes,
  pageParametersSchema,
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
import { serveListPage } from '../../../read/serve/serve-list-page.ts'
import { created } from '../../created.ts'
import { operation, type Operation } from '../../operation.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'

export const accessTokenOperations = (service: ManageService): readonly Operation[] => {
  const { database, now, randomUuid } = service
  return [
    operation(
      'POST /manage/v1/accessTokens',
      {
        kind: 'write',
        operationId: 'createAccessToken',
        summary: 'Create an access token. Only this answer shows it.',
        right: 'tokens',
        body: accessTokenRequestSchema,
        answer: createdAccessTokenSchema,
        creates: 'always',
        hasSecret: true,
        errors: changeErrors,
      },
      async (asked) => {
        const { subject } = asked.caller
        const wanted = parseAccessTokenRequest(asked.body, now())
        const token = await changeRegistry(service, {
          attempt: { subject, action: 'createAccessToken' },
          work: (transaction) => createAccessToken(transaction, wanted, { now, randomUuid }),
          done: ({ accessTokenId }) => ({ details: { accessTokenId } }),
        })
        return created(asked.reply, `/manage/v1/accessTokens/${token.accessTokenId}`, token)
      },
    ),

    operation(
      'GET /manage/v1/accessTokens',
      {
        kind: 'read',
        operationId: 'listAccessTokens',
        summary: 'List the access tokens, oldest first.',
        right: 'tokens',
        query: pageParametersSchema,
        answer: accessTokensPageSchema,
        errors: pagingErrors,
      },
      async (asked) => {
        const page = await serveListPage(service, {
          ...asked.list,
          within: '',
          sizes: pageSizes.manage,
          read: (after, count) => readAccessTokens(database, { after, count }),
          positionOf: ({ position }) => position,
        })
        return { ...page, data: page.data.map(({ record }) => record) }
      },
    ),

    operation(
      'GET /manage/v1/accessTokens/:accessTokenId',
      {
        kind: 'read',
        operationId: 'getAccessToken',
        summary: 'Read what is known of an access token; the token itself is not.',
        right: 'tokens',
        answer: accessTokenRecordSchema,
        errors: ['AccessTokenNotFound'],
      },
      async (asked) => {
        const { accessTokenId } = asked.params
        const found = await readAccessToken(database, accessTokenId)
        if (found === undefined) throw new ServiceError('AccessTokenNotFound', { accessTokenId })
        return found
      },
    ),

    operation(
      'DELETE /manage/v1/accessTokens/:accessTokenId',
      {
        kind: 'write',
        operationId: 'revokeAccessToken',
        summary: 'Revoke an access token. It stays in the list.',
        right: 'tokens',
        errors: ['AccessTokenNotFound', ...changeErrors],
      },
      async (asked) => {
        const { accessTokenId } = asked.params
        const { subject } = asked.caller
        await changeRegistry(service, {
          attempt: { subject, action: 'revokeAccessToken', details: { accessTokenId } },
          work: async (transaction) => {
            const found = await revokeAccessToken(transaction, accessTokenId, now())
            if (found === undefined) throw new ServiceError('AccessTokenNotFound', { accessTokenId })
            return found
          },
        })
        await service.access.recheck()
      },
    ),
  ]
}
