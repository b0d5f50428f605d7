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
  interface FastifyInstance {
    /** Checks the credentials again: for an answer that takes longer than they may be trusted (P121). */
    authorize: Authorize
    /** The same without a share of the caller's rate: for what the service does by itself while a connection is open. */
    authorizeAgain: Authorize
  }
}

export type Authorize = (request: FastifyRequest) => Promise<void>

/** Authenticates the caller of a request and checks the right that the endpoint needs. */
export const authorization =
  (authenticate: AuthenticateCaller, again: { readonly isAgain?: true } = {}): Authorize =>
  async (request) => {
    const right = request.routeOptions.config.described?.right
    if (right === undefined || right === 'public') return
    const { authorization: sent } = request.headers
    const caller = await authenticate({ authorization: sent, ...again })
    request.caller = caller
    if (!caller.rights.has(right)) {
      throw new ServiceError('ApiUsageDenied', { missingScope: scopes[right].name })
    }
  }

/** For `onRoute`. The check runs after the hooks of the server, so that a refusal has their headers too. */
export const requireRights =
  (authorize: Authorize) =>
  (route: RouteOptions): void => {
    invariant(route.config?.described !== undefined, 'route-without-a-description')
    const hooks = [route.onRequest ?? []].flat()
    // A HEAD route is made from the GET's options, including its hooks.
    if (!hooks.includes(authorize)) route.onRequest = [authorize, ...hooks]
  }

/** Who asks, for an answer in several steps: the credentials are checked again for every step after the first. */
export function callerOfEachStep(request: FastifyRequest): () => Promise<Caller> {
  let isFirst = true
  return async () => {
    if (!isFirst) await request.server.authorize(request)
    isFirst = false
    return callerOf(request)
  }
}

export function callerOf({ caller }: FastifyRequest): Caller {
  invariant(caller !== undefined, 'caller-asked-of-a-public-endpoint')
  return caller
}
