import {
  accessTokenRecordSchema,
  accessTokenRequestSchema,
  accessTokensPageSchema,
  createdAccessTokenSchema,
  pageSizes,
} from '@octavo/protocol'
import { ServiceError } from '../../../base/errors/service-error.ts'
import { accessChanges } from '../../../manage/access-changes.ts'
import { readAccessToken, readAccessTokens } from '../../../manage/access-tokens.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { parseAccessTokenRequest } from '../../../read/request/parse-access.ts'
import { serveListPage } from '../../../read/serve/serve-list-page.ts'
import { created } from '../../created.ts'
import { operation, type Operation } from '../../operation.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'
import { pageParameters } from '../../page-parameters.ts'

export const accessTokenOperations = (service: ManageService): readonly Operation[] => {
  const { database, now } = service
  return [
    operation(
      'POST /manage/v1/accessTokens',
      {
        kind: 'write',
        operationId: 'createAccessToken',
        summary: 'Create an access token. Only this answer shows it.',
        tag: 'Manage',
        right: 'tokens',
        body: accessTokenRequestSchema,
        answer: createdAccessTokenSchema,
        creates: 'always',
        hasSecret: true,
        errors: changeErrors,
      },
      async (asked) => {
        const wanted = parseAccessTokenRequest(asked.body, now())
        const token = await accessChanges(service, asked.caller.subject).createToken(wanted)
        return created(asked.reply, `/manage/v1/accessTokens/${token.accessTokenId}`, token)
      },
    ),

    operation(
      'GET /manage/v1/accessTokens',
      {
        kind: 'read',
        operationId: 'listAccessTokens',
        summary: 'List the access tokens, oldest first.',
        tag: 'Manage',
        right: 'tokens',
        query: pageParameters,
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
        tag: 'Manage',
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
        tag: 'Manage',
        right: 'tokens',
        errors: ['AccessTokenNotFound', ...changeErrors],
      },
      async (asked) => {
        const { accessTokenId } = asked.params
        const revoked = await accessChanges(service, asked.caller.subject).revokeToken(accessTokenId)
        if (revoked === undefined) throw new ServiceError('AccessTokenNotFound', { accessTokenId })
        await service.access.recheck()
      },
    ),
  ]
}
