// Parses the bodies that give access: an access token, a grant.
import {
  accessTokenRequestSchema,
  grantRequestSchema,
  type AccessTokenRequest,
  type GrantRecord,
} from '@octavo/protocol'
import { isPrincipalName, isReservedSubject } from '../../guard/auth/principal-name.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { shapeChecker } from './check-shape.ts'
import { parseTime } from './parse-time.ts'

const checkAccessTokenRequest = shapeChecker(accessTokenRequestSchema)
const checkGrantRequest = shapeChecker(grantRequestSchema)

export function parseAccessTokenRequest(body: unknown, now: Date): AccessTokenRequest {
  const request = checkAccessTokenRequest(body)
  refuseUnprintable([request.subject, ...(request.groups ?? [])])
  if (isReservedSubject(request.subject)) throw refusal('/subject', `it must be ${anotherName}`)
  return request.expiresAt === undefined
    ? request
    : { ...request, expiresAt: timeToCome(request.expiresAt, now) }
}

/** The name stands in the path. */
export function parseGrantRequest(body: unknown, principal: GrantRecord['principal']): GrantRecord {
  const { role } = checkGrantRequest(body)
  const { type, name } = principal
  if (!isPrincipalName(name)) throw wrongName(name, nameForm)
  if (type === 'subject' && isReservedSubject(name)) throw wrongName(name, anotherName)
  return { principal, role }
}

function timeToCome(text: string, now: Date): string {
  const time = parseTime(text, '/expiresAt')
  if (Date.parse(time) > now.getTime()) return time
  throw refusal('/expiresAt', 'it must be in the future')
}

function refuseUnprintable(names: readonly string[]): void {
  if (!names.every(isPrincipalName)) {
    throw refusal('', `a name must have ${nameForm}`)
  }
}

const nameForm = '1 to 255 characters and no control characters'
const anotherName = 'another name: this one is reserved for changes made directly on the database'

const wrongName = (name: string, expected: string): ServiceError =>
  new ServiceError('InvalidParameterValue', { parameterId: 'name', parameterValue: name, expected })

const refusal = (path: string, problem: string): ServiceError =>
  new ServiceError('Conjure:UnprocessableEntity', { path, problem })
