// The bodies that give access: a token, a grant.
import {
  accessTokenRequestSchema,
  grantRequestSchema,
  type AccessTokenRequest,
  type GrantRequest,
} from '@octavo/protocol'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { isPrincipalName } from '../auth/principal-name.ts'
import { ServiceError } from '../errors/service-error.ts'
import { explainShape } from './explain-shape.ts'

const accessTokenRequest = Compile(accessTokenRequestSchema)
const grantRequest = Compile(grantRequestSchema)

export function parseAccessTokenRequest(body: unknown, now: Date): AccessTokenRequest {
  if (!accessTokenRequest.Check(body)) throw unfit(accessTokenRequestSchema, body)
  refuseUnprintable([body.subject, ...(body.groups ?? [])])
  if (body.expiresAt !== undefined && !(Date.parse(body.expiresAt) > now.getTime())) {
    throw refusal('/expiresAt', 'it must be a time that is still to come')
  }
  return body
}

export function parseGrantRequest(body: unknown): GrantRequest {
  if (!grantRequest.Check(body)) throw unfit(grantRequestSchema, body)
  refuseUnprintable([body.principal.name])
  return body
}

function refuseUnprintable(names: readonly string[]): void {
  if (!names.every(isPrincipalName)) {
    throw refusal('', 'a name must have 1 to 255 characters, none of which is a control character')
  }
}

const unfit = (schema: TSchema, body: unknown): ServiceError => {
  const { path, problem } = explainShape(schema, body) ?? {
    path: '',
    problem: 'it does not have the shape that is described',
  }
  return refusal(path, problem)
}

const refusal = (path: string, problem: string): ServiceError =>
  new ServiceError('Conjure:UnprocessableEntity', { path, problem })
