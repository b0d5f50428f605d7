import cors from '@fastify/cors'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { corsAllowedHeaders, corsExposedHeaders } from '@octavo/protocol'
import type { FastifyRequest } from 'fastify'
import type { Admission } from '../guard/admit/admission.ts'
import type { AuthenticateCaller } from '../guard/auth/authenticate-caller.ts'
import { rememberWork } from './abort-signal.ts'
import { callerAddress } from './caller-address.ts'
import type { Explorer } from './explorer/explorer-files.ts'
import { explorerRoutes } from './explorer/explorer-routes.ts'
import type { FailureSources } from './failure-reply.ts'
import type { CheckReadiness } from './health/check-readiness.ts'
import { holdBodies } from './hold-bodies.ts'
import { homeRoutes } from './home/home-routes.ts'
import { defaultListener, type ListenerSettings } from './listener-settings.ts'
import { openFastify, type HttpServer } from './open-fastify.ts'
import { describeRoutes } from './openapi/described-as.ts'
import { referenceRoutes } from './openapi/reference-routes.ts'
import { checkRequests, finishAnswers, observeRequests } from './request-hooks.ts'
import { authorization, requireRights } from './require-right.ts'
import { refuseIgnored } from './refuse-ignored.ts'
import { refuseUnknownPaths } from './unknown-paths.ts'

const originsOfThisMachine = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

export interface HttpServerOptions extends FailureSources {
  readonly corsOrigins: readonly string[]
  readonly authenticate: AuthenticateCaller
  /** Without it, the bytes of bodies are not counted. */
  readonly admission?: Pick<Admission, 'refuseEarly' | 'holdBody'> | undefined
  readonly routes: readonly FastifyPluginAsyncTypebox[]
  /** For the page at the root; without it there is none. */
  readonly checkReadiness?: CheckReadiness
  /** For browsers at the root; without it they get the page of the service. */
  readonly explorer?: Explorer | undefined
  readonly listener?: ListenerSettings
  /** Once true, every answer closes its connection, so that no client is about to reuse an idle one when the service ends. */
  readonly isStopping?: () => boolean
}

export function createHttpServer({
  corsOrigins,
  authenticate,
  admission,
  routes,
  checkReadiness,
  explorer,
  listener = defaultListener,
  isStopping = () => false,
  ...failures
}: HttpServerOptions): HttpServer {
  const addressOf = (request: FastifyRequest): string => callerAddress(request.raw, listener.trustedProxyHops)
  const app = openFastify(listener, failures)
  checkRequests(app, listener, refuseUnknownPaths(app))
  finishAnswers(app, listener, { isStopping, observe: failures.observe })
  observeRequests(app, addressOf, failures.observe)
  if (corsOrigins.length > 0) {
    app.register(cors, {
      origin: corsOrigins.map((origin) => (origin === 'loopback' ? originsOfThisMachine : origin)),
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: [...corsAllowedHeaders],
      exposedHeaders: [...corsExposedHeaders],
      maxAge: 600,
    })
  }
  const described = describeRoutes(app)
  app.decorateRequest('caller', undefined)
  app.register(async (endpoints) => {
    const authorize = authorization(authenticate)
    endpoints.decorate('authorize', authorize)
    const again = { isAgain: true } as const
    endpoints.decorate('authorizeAgain', authorization(authenticate, again))
    endpoints.addHook('onRoute', requireRights(authorize))
    endpoints.addHook('onRoute', rememberWork)
    refuseIgnored(endpoints)
    if (admission !== undefined) holdBodies(endpoints, admission)
    for (const route of routes) endpoints.register(route)
  })
  app.register(referenceRoutes(described))
  if (checkReadiness !== undefined) app.register(homeRoutes(checkReadiness, explorer))
  if (explorer !== undefined) app.register(explorerRoutes(explorer))
  return app
}
