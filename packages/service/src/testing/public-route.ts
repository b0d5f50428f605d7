// For tests of the server around the routes.
import { Type } from 'typebox'
import type { AuthenticateCaller } from '../auth/authenticate-caller.ts'
import { ServiceError } from '../errors/service-error.ts'
import { describedAs } from '../http/openapi/described-as.ts'

/** A route that answers everybody. */
export const publicRoute = (operationId: string) =>
  describedAs({
    operationId,
    summary: 'For a test.',
    tag: 'Health',
    right: 'public',
    answer: Type.Unknown(),
    errors: [],
  })

export const nobodyComesIn: AuthenticateCaller = async () => {
  throw new ServiceError('Default:Unauthorized', {})
}
