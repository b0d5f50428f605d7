import type { Socket } from 'node:net'
import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodyDigest, wantsBodyDigest } from '../base/digest/body-digest.ts'
import { bodyTag, matchesTag } from '../base/digest/body-tag.ts'
import type { ServiceError } from '../base/errors/service-error.ts'
import type { Observe } from '../observe/observation.ts'
import { addVary, compressAnswers } from './compression/compress-answers.ts'
import type { ListenerSettings } from './listener-settings.ts'
import type { HttpServer } from './open-fastify.ts'
import { refuseUnfitRequest } from './refuse-unfit-request.ts'
import { securityHeaders } from './security-headers.ts'
import { bodyWatch } from './slow-clients.ts'
import type { UnknownPaths } from './unknown-paths.ts'

/** Checks every request before its route, so that bad requests are refused early. */
export function checkRequests(
  app: HttpServer,
  { certificate, times }: ListenerSettings,
  paths: UnknownPaths,
): void {
  const isTls = certificate !== undefined
  // These hooks are not async: a promise each would cost every request a turn of the microtask queue.
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
    // Checked before the body is read: for a path that does not exist, the body does not matter.
    if (request.is404) done(paths.refusal(request))
    else done(null, payload)
  })
}

/** Sets the time-out, the headers and the digest of every answer, and compresses it. */
export function finishAnswers(
  app: HttpServer,
  { times, codings }: ListenerSettings,
  { isStopping, observe }: { readonly isStopping: () => boolean; readonly observe: Observe },
): void {
  const compress = compressAnswers(codings, observe)
  // A connection kept alive after its last answer would delay the stop until its idle time-out.
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // An answer stays in memory until its client has received it, so the time for that is limited.
    reply.raw.setTimeout(times.answerSeconds * 1_000, cutOff)
    if (closing || isStopping()) reply.header('connection', 'close')
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
      done(null, payload)
    } else if (isUnchanged(request, reply, payload)) {
      reply.code(304).removeHeader(headers.contentType)
      // Fastify takes the body from the answer to HEAD itself, and needs its length.
      done(null, request.method === 'HEAD' ? payload : null)
    } else {
      addDigest(request, reply, payload)
      compress(request, reply, payload, (body) => done(null, body))
    }
  })
}

/** The digest is that of the body as it is: an answer whose digest is wanted is not compressed (P236). */
function addDigest({ headers: sent }: FastifyRequest, reply: FastifyReply, body: Buffer | string): void {
  if (wantsBodyDigest(sent[headers.wantContentDigest])) reply.header(headers.contentDigest, bodyDigest(body))
}

/**
 * Tags the answer if its route has tags, and tells whether the caller has it already (P211). The answer is complete by now, so
 * everything that could refuse it has been checked (P212).
 */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, body: Buffer | string): boolean {
  const { described } = request.routeOptions.config
  if (described?.hasTag === undefined || reply.statusCode !== 200) return false
  const tag = bodyTag(body)
  // A browser may keep the answer for its caller, and asks each time whether it still holds: what a caller may read can change.
  reply.headers({ [headers.etag]: tag, 'cache-control': 'private, no-cache' })
  addVary(reply, 'authorization')
  return matchesTag(request.headers[headers.ifNoneMatch], tag)
}

export function observeRequests(
  app: HttpServer,
  addressOf: (request: FastifyRequest) => string,
  observe: Observe,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const route = request.routeOptions.url ?? 'none'
    // Every load balancer asks every few seconds; check-readiness.ts reports changes.
    if (route.startsWith('/health/')) return
    observe({
      kind: 'request-served',
      requestId: request.id,
      method: request.method,
      // A stream takes as long as its client: the times of pages must not be mixed with it.
      route: isStream(reply) ? `stream ${route}` : route,
      address: addressOf(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
      ...traceparentOf(request),
    })
  })
}

const isStream = (reply: FastifyReply): boolean => reply.getHeader(headers.contentType) === mediaTypes.ndjson

const versionZero = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** The header is written to the log and to traces, so only values that W3C Trace Context allows are accepted. */
const traceparentOf = ({ headers: { traceparent } }: FastifyRequest): { readonly traceparent?: string } =>
  typeof traceparent === 'string' && versionZero.test(traceparent) ? { traceparent } : {}

/** Node passes the socket that timed out. */
const cutOff = (slow?: Socket): void => void slow?.destroy()

const isPreflight = ({ headers: sent }: FastifyRequest): boolean =>
  sent.origin !== undefined && sent['access-control-request-method'] !== undefined
