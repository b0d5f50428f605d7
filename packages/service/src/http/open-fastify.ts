import type { IncomingMessage } from 'node:http'
import type { Server } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { limits, mediaTypes, headers } from '@octavo/protocol'
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify'
import { answerUnreadableRequest } from './answer-unreadable-request.ts'
import { failureReply, type FailureReply, type FailureSources, translateError } from './failure-reply.ts'
import type { ListenerSettings } from './listener-settings.ts'
import { readJsonBody, withoutNulls } from './json-bodies.ts'
import { securityHeaders } from './security-headers.ts'
import type { ServiceError } from '../base/errors/service-error.ts'
import { loopTurns } from '../base/loop-turns.ts'
import { routeUpgrades, wantsSocket } from './upgrades.ts'
import type { Observe } from '../observe/observation.ts'

/**
 * A little more than the limits, so that we can tell whether the URL or the headers are too long; beyond that, the parser gives
 * up.
 */
const parserHeaderBytes =
  limits.request.urlBytes + limits.pageToken.characters + limits.request.headerBytes + 1_024

declare module 'fastify' {
  interface FastifyInstance {
    /** For an answer that has begun when it fails: the error is then a part of it. */
    failureOf: (error: unknown, requestId: string) => FailureReply
    /** What a failure is to the caller; it is not reported. */
    explain: (error: unknown) => ServiceError
  }
}

export type HttpServer = ReturnType<typeof openFastify>

/** Fastify with our limits and our errors: every failure is answered in one shape, even before a route is known. */
export function openFastify(listener: ListenerSettings, failures: FailureSources) {
  const { certificate, times } = listener
  const replyWithError = errorReplies(failures, certificate !== undefined)
  const parser = {
    maxHeaderSize: parserHeaderBytes,
    requireHostHeader: false,
    headersTimeout: times.headersSeconds * 1_000,
    // How long a body may take depends on the endpoint: see slow-clients.ts.
    requestTimeout: 0,
    connectionsCheckingInterval: times.checkSeconds * 1_000,
    // Any other upgrade is ignored, and the request answered (RFC 9110, section 7.8).
    shouldUpgradeCallback: (request: IncomingMessage): boolean => wantsSocket(app.server, request),
  }
  const app = fastify({
    bodyLimit: limits.request.bodyBytes,
    // A path segment that is too long for a primary key is an object that does not exist, not an unknown endpoint.
    routerOptions: { maxParamLength: limits.request.urlBytes },
    http: parser,
    // Spread, so that the server keeps the type that routes are written for.
    ...(certificate && {
      https: { ...parser, ...certificate, handshakeTimeout: times.headersSeconds * 1_000 },
    }),
    requestTimeout: 0,
    keepAliveTimeout: times.idleSeconds * 1_000,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request),
    // While stopping, a connection that is still open gets a proper answer, not fastify's own 503 in another shape.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void replyWithError(error, request, reply),
    clientErrorHandler: (error, socket) =>
      answerUnreadableRequest(error, socket, failures, certificate !== undefined),
  }).withTypeProvider<TypeBoxTypeProvider>()
  limitConnections(app.server, listener.maxConnections, failures.observe)
  app.removeAllContentTypeParsers()
  const turn = loopTurns()
  app.addContentTypeParser(
    mediaTypes.json,
    { parseAs: 'buffer' },
    async ({ routeOptions }: FastifyRequest, body: Buffer) => {
      // Some clients name the type with every request. An endpoint that needs a body says so itself.
      if (body.length === 0) return undefined
      // Many at once would hold up everything else until the last of them is parsed (P395).
      if (body.length > limits.request.smallBodyBytes) await turn()
      const read = readJsonBody(body)
      return routeOptions.url?.startsWith('/manage/') ? withoutNulls(read) : read
    },
  )
  app.decorate('failureOf', (error: unknown, requestId: string) => failureReply(error, requestId, failures))
  app.decorate('explain', (error: unknown) => translateError(error, failures.explainFailure))
  app.setErrorHandler((error, request, reply) => replyWithError(error, request, reply))
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  routeUpgrades(app)
  return app
}

const errorReplies =
  (failures: FailureSources, isTls: boolean) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // If the client has disconnected, its query was cancelled, and the error is only the result of that: it is not reported.
    const sources = reply.raw.destroyed ? { ...failures, observe: () => {} } : failures
    const { status, headers, body } = failureReply(error, request.id, sources)
    return (
      reply
        .code(status)
        .headers(headers)
        // A path that cannot be decoded is refused before any hook runs, so the headers are set here.
        .headers(securityHeaders({ url: request.url, isTls }))
        .type(`${mediaTypes.json}; charset=utf-8`)
        .send(JSON.stringify(body))
    )
  }

// A caller may send an id for its request, to find it again in our log. Since the id is written to the log, only plain names are
// accepted.

const plainName = /^[A-Za-z0-9._:/+=-]{1,128}$/

const requestIdOf = ({ headers: sent }: Pick<IncomingMessage, 'headers'>): string => {
  const id = sent[headers.requestId]
  return typeof id === 'string' && plainName.test(id) ? id : crypto.randomUUID()
}

const secondsBetweenReports = 10

/**
 * Node closes connections above the maximum before it reads anything from them. This is reported at most every ten seconds, as
 * there may be thousands.
 */
function limitConnections(server: Server, maximum: number, observe: Observe): void {
  server.maxConnections = maximum
  // For workers: otherwise Node would offer a surplus connection to every worker in turn, for ever. Node's types do not have
  // this property yet.
  Object.assign(server, { dropMaxConnection: true })
  let dropped = 0
  let saidAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    dropped += 1
    const now = performance.now()
    if (now - saidAt < secondsBetweenReports * 1_000) return
    observe({ kind: 'connections-dropped', dropped, maximum })
    dropped = 0
    saidAt = now
  })
}
