// Parses the bodies that give access: an access token, a grant.
import {
  accessTokenRequestSchema,
  grantRequestSchema,
  type AccessTokenRequest,
  type GrantRequest,
} from '@octavo/protocol'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { isPrincipalName, isReservedSubject } from '../../guard/auth/principal-name.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { canonicalTimestamp } from '../../base/value/canonical-time.ts'
import { explainShape } from './explain-shape.ts'

const accessTokenRequest = Compile(accessTokenRequestSchema)
const grantRequest = Compile(grantRequestSchema)

export function parseAccessTokenRequest(body: unknown, now: Date): AccessTokenRequest {
  if (!accessTokenRequest.Check(body)) throw unfit(accessTokenRequestSchema, body)
  refuseUnprintable([body.subject, ...(body.groups ?? [])])
  refuseReserved(body.subject, '/subject')
  return body.expiresAt === undefined ? body : { ...body, expiresAt: timeToCome(body.expiresAt, now) }
}

export function parseGrantRequest(body: unknown): GrantRequest {
  if (!grantRequest.Check(body)) throw unfit(grantRequestSchema, body)
  const { type, name } = body.principal
  refuseUnprintable([name])
  if (type === 'subject') refuseReserved(name, '/principal/name')
  return body
}

/** Checks the day as well, because the schema does not know how many days a month has. */
function timeToCome(text: string, now: Date): string {
  const time = canonicalTimestamp(text)
  if (time === undefined)
    throw refusal('/expiresAt', 'it must be a valid date and time with a zone, such as 2030-01-31T12:00:00Z')
  if (Date.parse(time) > now.getTime()) return time
  throw refusal('/expiresAt', 'it must be in the future')
}

function refuseUnprintable(names: readonly string[]): void {
  if (!names.every(isPrincipalName)) {
    throw refusal('', 'a name must have 1 to 255 characters and no control characters')
  }
}

function refuseReserved(subject: string, path: string): void {
  if (isReservedSubject(subject)) {
    throw refusal(
      path,
      'this name is reserved for changes made directly on the database: choose another name',
    )
  }
}

const unfit = (schema: TSchema, body: unknown): ServiceError => {
  const { path, problem } = explainShape(schema, body) ?? {
    path: '',
    problem: 'it does not have the shape that /openapi.json describes',
  }
  return refusal(path, problem)
}

const refusal = (path: string, problem: string): ServiceError =>
  new ServiceError('Conjure:UnprocessableEntity', { path, problem })
