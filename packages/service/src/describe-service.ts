import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invariant } from './base/errors/invariant.ts'
import { serveOptions, type ServeOptions } from './config/options.ts'
import { readOptions } from './config/read-options.ts'
import type { AuthenticateCaller } from './guard/auth/authenticate-caller.ts'
import { createHttpServer } from './http/create-http-server.ts'
import { serviceRoutes, type RouteNeeds } from './http/routes/service-routes.ts'
import type { OpenWing, WingSources } from './http/wing.ts'
import * as allWings from './wings.ts'

type Needs = Omit<RouteNeeds, 'wings'> & WingSources & { readonly authenticate: AuthenticateCaller }

/** Every endpoint, to be described and never called: it needs no database. */
export function describedEndpoints(): readonly FastifyPluginAsyncTypebox[] {
  const needs = neverCalled()
  const { pages, manage, checkReadiness } = needs
  const wings = Object.values<OpenWing>(allWings).map((open) => open(everythingOn(), needs))
  return serviceRoutes({ pages, manage, checkReadiness, wings })
}

/** The text of /openapi.json. */
export async function describeService(): Promise<string> {
  const app = createHttpServer({
    corsOrigins: [],
    authenticate: neverCalled().authenticate,
    routes: describedEndpoints(),
    observe: () => {},
    explainFailure: () => undefined,
  })
  const { body } = await app.inject('/openapi.json')
  await app.close()
  return body
}

/** The options of a service with all its wings, none of which is used. */
function everythingOn(): ServeOptions {
  const read = readOptions(serveOptions, [], {
    OCTAVO_DATABASE_URL: 'postgres://127.0.0.1/described',
    OCTAVO_PAGE_TOKEN_KEYS: `described:${Buffer.alloc(32).toString('base64url')}`,
    OCTAVO_OIDC_ISSUER: 'https://provider.example',
    OCTAVO_OIDC_AUDIENCE: 'octavo',
    OCTAVO_OAUTH_PUBLIC_URL: 'https://octavo.example',
    OCTAVO_OAUTH_REDIRECT_URIS: 'https://app.example/',
    OCTAVO_SUBSCRIPTIONS: 'true',
  })
  invariant(read.kind === 'read', 'description-of-unread-options')
  return read.options
}

/** An object that has every member, and throws as soon as one is used. */
function neverCalled(): Needs {
  const needs: ReturnType<typeof JSON.parse> = new Proxy(() => {}, {
    get: () => needs,
    apply: () => {
      throw new Error('A route was called while it was only to be described.')
    },
  })
  return needs
}
