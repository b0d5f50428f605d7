// The only place where a request is authenticated and its scopes are checked, before anything else (P116). Each endpoint
// declares the right that it needs in its description, and an endpoint that needs none declares that.
import { scopes } from '@octavo/protocol'
import type { FastifyRequest, RouteOptions } from 'fastify'
import type { AuthenticateCaller } from '../guard/auth/authenticate-caller.ts'
import type { Caller } from '../guard/auth/caller.ts'
import { invariant } from '../base/errors/invariant.ts'
import { ServiceError } from '../base/errors/service-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined on an endpoint without authentication. */
    caller: Caller | undefined
  }
}

/** How the credentials of a request are checked, while it is under way. */
const checks = new WeakMap<FastifyRequest, () => Promise<void>>()

/** For `onRoute`. The check runs after the hooks of the server, so that a refusal has their headers too. */
export function requireRights(
  authenticate: AuthenticateCaller,
  networkOf: (request: FastifyRequest) => string,
): (route: RouteOptions) => void {
  const authorize = async (request: FastifyRequest): Promise<void> => {
    const right = request.routeOptions.config.described?.right
    if (right === undefined || right === 'public') return
    const credentials = { authorization: request.headers.authorization, network: () => networkOf(request) }
    const check = async (): Promise<void> => {
      const caller = await authenticate(credentials)
      request.caller = caller
      if (!caller.rights.has(right)) {
        throw new ServiceError('ApiUsageDenied', { missingScope: scopes[right].name })
      }
    }
    await check()
    checks.set(request, check)
  }
  return (route) => {
    invariant(route.config?.described !== undefined, 'route-without-a-description')
    const hooks = [route.onRequest ?? []].flat()
    // A HEAD route is made from the GET's options, including its hooks.
    if (!hooks.includes(authorize)) route.onRequest = [authorize, ...hooks]
  }
}

/** Checks the credentials of a request again: for an answer that takes longer than credentials may be trusted (P121). */
export async function authorizeAgain(request: FastifyRequest): Promise<void> {
  const check = checks.get(request)
  invariant(check !== undefined, 'rights-checked-again-before-the-first-time')
  await check()
}

export function callerOf({ caller }: FastifyRequest): Caller {
  invariant(caller !== undefined, 'caller-asked-of-a-public-endpoint')
  return caller
}
