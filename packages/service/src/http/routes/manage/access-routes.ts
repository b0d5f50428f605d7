// Who may do what: access tokens, and grants of roles on ontologies.
import {
  accessTokenRecordSchema,
  accessTokenRequestSchema,
  accessTokensPageSchema,
  createdAccessTokenSchema,
  grantRecordSchema,
  grantRequestSchema,
  grantsPageSchema,
  pageParametersSchema,
  pageSizes,
} from '@octavo/protocol'
import { ServiceError } from '../../../base/errors/service-error.ts'
import { findOntology } from '../../../catalog/find-object-type.ts'
import { isPrincipalName } from '../../../guard/auth/principal-name.ts'
import { accessChanges } from '../../../manage/access-changes.ts'
import { readAccessToken, readAccessTokens } from '../../../manage/access-tokens.ts'
import { readGrant, readGrants, type Principal } from '../../../manage/grants.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { parseAccessTokenRequest, parseGrantRequest } from '../../../read/request/parse-access.ts'
import { serveListPage } from '../../../read/serve/serve-list-page.ts'
import { operation, type Operation } from '../../operation.ts'
import { changeErrors, pagingErrors } from '../../errors-of-operations.ts'
import { created } from './change-requests.ts'

export const accessOperations = (service: ManageService): readonly Operation[] => [
  ...accessTokenOperations(service),
  ...grantOperations(service),
]

function accessTokenOperations(service: ManageService): readonly Operation[] {
  const { database, now } = service
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
      async ({ caller: { subject }, body, reply }) => {
        const wanted = parseAccessTokenRequest(body, now())
        const token = await accessChanges(service, subject).createToken(wanted)
        return created(reply, `/manage/v1/accessTokens/${token.accessTokenId}`, token)
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
      async ({ list }) => {
        const page = await serveListPage(service, {
          ...list,
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
      async ({ params: { accessTokenId } }) => {
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
      async ({ caller: { subject }, params: { accessTokenId } }) => {
        const revoked = await accessChanges(service, subject).revokeToken(accessTokenId)
        if (revoked === undefined) throw new ServiceError('AccessTokenNotFound', { accessTokenId })
        await service.access.recheck()
      },
    ),
  ]
}

function grantOperations(service: ManageService): readonly Operation[] {
  return [
    operation(
      'GET /manage/v1/ontologies/:ontology/grants',
      {
        kind: 'read',
        operationId: 'listGrants',
        summary: 'List who has which role on an ontology.',
        right: 'admin',
        query: pageParametersSchema,
        answer: grantsPageSchema,
        errors: ['Default:PermissionDenied', ...pagingErrors],
      },
      async ({ caller, target, list }) => {
        const { rid } = await findOntology(service, caller, target, 'owner')
        return serveListPage(service, {
          ...list,
          within: rid,
          sizes: pageSizes.manage,
          read: (after, count) => readGrants(service.database, rid, { after, count }),
          positionOf: ({ principal }) => [principal.type, principal.name],
        })
      },
    ),
    ...grantOperationsOf(service, 'subject'),
    ...grantOperationsOf(service, 'group'),
  ]
}

function grantOperationsOf(service: ManageService, type: Principal['type']): readonly Operation[] {
  const url = `/manage/v1/ontologies/:ontology/grants/${type}s/:name` as const
  const ofPrincipal = type === 'subject' ? 'OfSubject' : 'OfGroup'
  return [
    operation(
      `PUT ${url}`,
      {
        kind: 'write',
        operationId: `putGrant${ofPrincipal}`,
        summary: `Grant a role on an ontology to a ${type}, replacing the role it had.`,
        right: 'admin',
        body: grantRequestSchema,
        answer: grantRecordSchema,
        creates: 'ifAbsent',
        errors: ['Default:PermissionDenied', ...changeErrors],
      },
      async ({ caller, target, params: { name }, body, reply }) => {
        const { rid } = await findOntology(service, caller, target, 'owner')
        const grant = parseGrantRequest(body, { type, name })
        const isNew = await accessChanges(service, caller.subject).addGrant(rid, grant)
        await service.access.recheck()
        const path = `/manage/v1/ontologies/${rid}/grants/${type}s/${encodeURIComponent(name)}`
        return isNew ? created(reply, path, grant) : grant
      },
    ),

    operation(
      `GET ${url}`,
      {
        kind: 'read',
        operationId: `getGrant${ofPrincipal}`,
        summary: `Read which role a ${type} has on an ontology.`,
        right: 'admin',
        answer: grantRecordSchema,
        errors: ['Default:PermissionDenied', 'GrantNotFound'],
      },
      async ({ caller, target, params: { name } }) => {
        const { rid } = await findOntology(service, caller, target, 'owner')
        const principal = { type, name }
        const role = isPrincipalName(name) ? await readGrant(service.database, rid, principal) : undefined
        if (role === undefined) throw noGrant(principal)
        return { principal, role }
      },
    ),

    operation(
      `DELETE ${url}`,
      {
        kind: 'write',
        operationId: `removeGrant${ofPrincipal}`,
        summary: `Take away the role that a ${type} has on an ontology.`,
        right: 'admin',
        errors: ['Default:PermissionDenied', 'GrantNotFound', ...changeErrors],
      },
      async ({ caller, target, params: { name } }) => {
        const { rid } = await findOntology(service, caller, target, 'owner')
        const principal = { type, name }
        const isRemoved =
          isPrincipalName(name) && (await accessChanges(service, caller.subject).removeGrant(rid, principal))
        if (!isRemoved) throw noGrant(principal)
        await service.access.recheck()
      },
    ),
  ]
}

const noGrant = ({ type, name }: Principal): ServiceError =>
  new ServiceError('GrantNotFound', { principalType: type, principalName: name })
