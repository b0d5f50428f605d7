import cors from '@fastify/cors'
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { corsAllowedHeaders, corsExposedHeaders, headers, limits, mediaTypes } from '@octavo/protocol'
import type { Socket } from 'node:net'
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AuthenticateCaller } from '../guard/auth/authenticate-caller.ts'
import { bodyDigest, wantsBodyDigest } from '../base/digest/body-digest.ts'
import { ServiceError } from '../base/errors/service-error.ts'
import { routedMethods } from './allowed-methods.ts'
import { answerUnreadableRequest } from './answer-unreadable-request.ts'
import { callerAddress, networkOf } from './caller-address.ts'
import { openDoor, type Door } from './door.ts'
import { failureReply, type FailureSources } from './failure-reply.ts'
import { describeRoutes } from './openapi/described-routes.ts'
import { referenceRoutes } from './openapi/reference-routes.ts'
import { limitConnections } from './limit-connections.ts'
import { readJsonBody } from './read-json-body.ts'
import { requireRights } from './require-right.ts'
import { refuseUnfitRequest } from './refuse-unfit-request.ts'
import { requestIdOf } from './request-id.ts'
import { securityHeaders } from './security-headers.ts'
import { traceparentOf } from './traceparent.ts'
import { bodyWatch } from './slow-clients.ts'
import { hasEmptySegment, withoutEmptySegments } from './empty-segments.ts'

export interface HttpServerParts extends FailureSources {
  readonly corsOrigins: readonly string[]
  readonly authenticate: AuthenticateCaller
  readonly routes: readonly FastifyPluginAsyncTypebox[]
  readonly door?: Door
  /** From then on every answer closes its connection, so that none is idle and about to be used when the service ends. */
  readonly isStopping?: () => boolean
}

/** A little more than the limits, so that we can tell the URL from the headers; past that, the parser gives up. */
const parserHeaderBytes = limits.request.urlBytes + limits.request.headerBytes + 1_024

export const createHttpServer = ({
  corsOrigins,
  authenticate,
  routes,
  door = openDoor,
  isStopping,
  ...failures
}: HttpServerParts) => {
  const { observe } = failures
  const { certificate, times } = door
  const isTls = certificate !== undefined
  const addressOf = (request: FastifyRequest): string => callerAddress(request.raw, door.trustedProxyHops)
  const replyWithError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // A client that went away made its own failure, of a query that was cancelled for it: that is no news.
    const sources = reply.raw.destroyed ? { ...failures, observe: () => {} } : failures
    const { status, headers, body } = failureReply(error, request.id, sources)
    return (
      reply
        .code(status)
        .headers(headers)
        // A path that cannot be decoded is refused before any hook runs.
        .headers(securityHeaders({ url: request.url, isTls }))
        .type(`${mediaTypes.json}; charset=utf-8`)
        .send(JSON.stringify(body))
    )
  }

  const parser = {
    maxHeaderSize: parserHeaderBytes,
    requireHostHeader: false,
    headersTimeout: times.headersSeconds * 1_000,
    // How long a body may take depends on the endpoint: see slow-clients.ts.
    requestTimeout: 0,
    connectionsCheckingInterval: times.checkSeconds * 1_000,
  }
  const app = fastify({
    bodyLimit: limits.request.bodyBytes,
    // A path that is too long for a primary key is that of an object that does not exist, not of no endpoint.
    routerOptions: { maxParamLength: limits.request.urlBytes },
    http: parser,
    // Spread, so that the type of the server stays the one that routes are written for.
    ...(certificate && {
      https: { ...parser, ...certificate, handshakeTimeout: times.headersSeconds * 1_000 },
    }),
    requestTimeout: 0,
    keepAliveTimeout: times.idleSeconds * 1_000,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request),
    // While stopping, a connection that is still open gets its answer, not fastify's own 503 in another shape.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void replyWithError(error, request, reply),
    clientErrorHandler: (error, socket) => answerUnreadableRequest(error, socket, failures, isTls),
  }).withTypeProvider<TypeBoxTypeProvider>()
  limitConnections(app.server, door.maxConnections, observe)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    mediaTypes.json,
    { parseAs: 'buffer' },
    (_: FastifyRequest, body: Buffer, done) => {
      let read: unknown
      try {
        read = readJsonBody(body)
      } catch (error) {
        done(error as ServiceError)
        return
      }
      done(null, read)
    },
  )
  app.setErrorHandler((error, request, reply) => replyWithError(error, request, reply))
  // An expectation that we do not know may be ignored (RFC 9110, section 10.1.1); Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  const methods = routedMethods()
  const refusePath = ({ method, url }: FastifyRequest): ServiceError => {
    const allowedMethods = methods.of(url)
    if (allowedMethods.length > 0 && !allowedMethods.includes(method)) {
      return new ServiceError('MethodNotAllowed', { method, allowedMethods: [...allowedMethods] })
    }
    const meant = hasEmptySegment(url) ? withoutEmptySegments(url) : url
    return new ServiceError(
      'PathNotFound',
      meant !== url && methods.of(meant).length > 0 ? { didYouMean: meant } : {},
    )
  }
  app.addHook('onRoute', (route) => methods.add(route))
  app.setNotFoundHandler((request) => {
    throw refusePath(request)
  })

  // None of the hooks of every request is a promise: each would be a turn of the queue of promises for every page.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(headers.requestId, request.id).headers(securityHeaders({ url: request.url, isTls }))
    try {
      refuseUnfitRequest(request.raw)
    } catch (error) {
      done(error as ServiceError)
      return
    }
    // The CORS plugin would answer these on any path, and in plain text.
    const isOdd = request.method === 'OPTIONS' && !isPreflight(request)
    // The router would take an empty segment for an empty name or key (P182).
    if (isOdd || (hasEmptySegment(request.url) && methods.of(request.url).length === 0))
      done(refusePath(request))
    else done()
  })
  const watchBody = bodyWatch(times)
  app.addHook('preParsing', (request, reply, payload, done) => {
    watchBody(request, reply)
    // Before the body is read: a path that does not exist has no opinion on bodies.
    if (request.is404) done(refusePath(request))
    else done(null, payload)
  })

  // A connection kept alive after its last answer would hold up the stop until it idles out.
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // An answer waits in memory for its client.
    reply.raw.setTimeout(times.answerSeconds * 1_000, cutOff)
    if (closing || isStopping?.() === true) reply.header('connection', 'close')
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (isWhole && wantsBodyDigest(request.headers[headers.wantContentDigest])) {
      reply.header(headers.contentDigest, bodyDigest(payload))
    }
    done(null, payload)
  })

  app.addHook('onResponse', (request, reply, done) => {
    done()
    const route = request.routeOptions.url ?? 'none'
    // Asked every few seconds by every load balancer; check-readiness.ts tells what changes.
    if (route.startsWith('/health/')) return
    observe({
      kind: 'request-served',
      requestId: request.id,
      method: request.method,
      route,
      address: addressOf(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
      ...traceparentOf(request.headers),
    })
  })

  if (corsOrigins.length > 0) {
    app.register(cors, {
      origin: [...corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: [...corsAllowedHeaders],
      exposedHeaders: [...corsExposedHeaders],
      maxAge: 600,
    })
  }
  const described = describeRoutes(app)
  app.decorateRequest('caller', undefined)
  app.register(async (endpoints) => {
    const networkOfRequest = (request: FastifyRequest): string => networkOf(addressOf(request))
    endpoints.addHook('onRoute', requireRights(authenticate, networkOfRequest))
    for (const route of routes) endpoints.register(route)
  })
  app.register(referenceRoutes(described))
  return app
}

/** Node says whose time is up. */
const cutOff = (slow?: Socket): void => void slow?.destroy()

const isPreflight = ({ headers: sent }: FastifyRequest): boolean =>
  sent.origin !== undefined && sent['access-control-request-method'] !== undefined
