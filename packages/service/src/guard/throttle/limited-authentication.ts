import type { AuthenticateCaller } from '../auth/authenticate-caller.ts'
import type { TakeShare } from './caller-share.ts'

/** A caller is known only once it is authenticated; nothing else has been done for it by then (P114). */
export const limitedAuthentication =
  (authenticate: AuthenticateCaller, take: TakeShare): AuthenticateCaller =>
  async (credentials) => {
    const caller = await authenticate(credentials)
    if (credentials.isAgain === undefined) take(caller.subject)
    return caller
  }
