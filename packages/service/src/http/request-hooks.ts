import type { Socket } from 'node:net'
import { headers } from '@octavo/protocol'
import type { FastifyRequest } from 'fastify'
import { bodyDigest, wantsBodyDigest } from '../base/digest/body-digest.ts'
import type { ServiceError } from '../base/errors/service-error.ts'
import type { Observe } from '../observe/observation.ts'
import type { ListenerSettings } from './listener-settings.ts'
import type { HttpServer } from './open-fastify.ts'
import { refuseUnfitRequest } from './refuse-unfit-request.ts'
import { securityHeaders } from './security-headers.ts'
import { bodyWatch } from './slow-clients.ts'
import { traceparentOf } from './traceparent.ts'
import type { UnknownPaths } from './unknown-paths.ts'

/** What happens to every request before its route: it is refused early, or not at all. */
export function checkRequests(
  app: HttpServer,
  { certificate, times }: ListenerSettings,
  paths: UnknownPaths,
): void {
  const isTls = certificate !== undefined
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
    if (isOdd || paths.hasUnroutedSegment(request.url)) done(paths.refusal(request))
    else done()
  })
  const watchBody = bodyWatch(times)
  app.addHook('preParsing', (request, reply, payload, done) => {
    watchBody(request, reply)
    // Before the body is read: a path that does not exist has no opinion on bodies.
    if (request.is404) done(paths.refusal(request))
    else done(null, payload)
  })
}

/** What happens to every answer. */
export function finishAnswers(app: HttpServer, { times }: ListenerSettings, isStopping: () => boolean): void {
  // A connection kept alive after its last answer would hold up the stop until it idles out.
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // An answer waits in memory for its client.
    reply.raw.setTimeout(times.answerSeconds * 1_000, cutOff)
    if (closing || isStopping()) reply.header('connection', 'close')
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (isWhole && wantsBodyDigest(request.headers[headers.wantContentDigest])) {
      reply.header(headers.contentDigest, bodyDigest(payload))
    }
    done(null, payload)
  })
}

export function observeRequests(
  app: HttpServer,
  addressOf: (request: FastifyRequest) => string,
  observe: Observe,
): void {
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
}

/** Node says whose time is up. */
const cutOff = (slow?: Socket): void => void slow?.destroy()

const isPreflight = ({ headers: sent }: FastifyRequest): boolean =>
  sent.origin !== undefined && sent['access-control-request-method'] !== undefined
