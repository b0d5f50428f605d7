// For tests of the server around the routes.
import { Type } from 'typebox'
import type { AuthenticateCaller } from '../../src/guard/auth/authenticate-caller.ts'
import { ServiceError } from '../../src/base/errors/service-error.ts'
import { describedAs } from '../../src/http/openapi/described-as.ts'

/** A route that answers every caller. */
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
