// Compresses answers on the threads of Node's pool, never on the main thread: decision 35 has the reasons and the figures.
import type { ServerResponse } from 'node:http'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import { headers, mediaTypes, type AnswerCoding } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wantsBodyDigest } from '../../base/digest/body-digest.ts'
import type { Observe } from '../../observe/observation.ts'
import { acceptedCoding } from './accepted-coding.ts'

/** With its headers, a shorter answer fits into one packet anyway. */
const leastBytes = 1_024

/**
 * Of the four threads of the pool, the others stay free for names, files and keys. An answer never waits for one: while both are
 * taken, it is sent as it is.
 */
const mostAtOnce = 2

/** The quickest level of each: a higher one costs a page more time than a fast network takes for what it saves. */
const compressors = {
  zstd: (bytes: number) =>
    createZstdCompress({
      pledgedSrcSize: bytes,
      // Without the checksum, a damaged answer may unpack to something else.
      params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
    }),
  br: (bytes: number) =>
    createBrotliCompress({
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: bytes },
    }),
  gzip: () => createGzip({ level: 1 }),
} satisfies Record<AnswerCoding, unknown>

type Body = Buffer | string

/** Of all servers in this process, because they share its threads. */
const underWay = new Set<ServerResponse>()

const releases = new WeakMap<ServerResponse, () => void>()

/**
 * Calls `release` once nobody reads the body of this answer any more: when it has been compressed, or else when the response is
 * closed. If the client leaves while a thread is reading it, the call never comes.
 */
export function releaseOnceRead(response: ServerResponse, release: () => void): void {
  releases.set(response, release)
  response.on('close', () => {
    if (!underWay.has(response)) releaseBody(response)
  })
}

function releaseBody(response: ServerResponse): void {
  releases.get(response)?.()
  releases.delete(response)
}

/** Calls `send` once, with what is to be sent: the body compressed, or as it is. */
export type CompressAnswer = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  send: (body: Body) => void,
) => void

export const compressAnswers =
  (codings: readonly AnswerCoding[], observe: Observe): CompressAnswer =>
  (request, reply, body, send) => {
    const coding = codingOf(request, reply, body, codings)
    if (coding === undefined) {
      send(body)
    } else if (underWay.size < mostAtOnce) {
      compress(reply, body, coding, (compressed) => {
        if (compressed === undefined) return send(body)
        const bytes = Buffer.byteLength(body)
        observe({ kind: 'answer-compressed', coding, bytes, compressedBytes: compressed.length })
        reply.header(headers.contentEncoding, coding)
        send(compressed)
      })
    } else {
      observe({ kind: 'compression-skipped', requestId: request.id })
      send(body)
    }
  }

/** Undefined if the answer is sent as it is. Marks an answer that depends on the request. */
function codingOf(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  codings: readonly AnswerCoding[],
): AnswerCoding | undefined {
  if (codings.length === 0 || !mayBeCompressed(request, reply)) return undefined
  addVary(reply, headers.acceptEncoding)
  // Who asks for the digest of the content could not verify it behind `fetch`, which unpacks first (P236).
  if (wantsBodyDigest(request.headers[headers.wantContentDigest])) return undefined
  const { coding, refusesIdentity } = acceptedCoding(request.headers[headers.acceptEncoding], codings)
  if (body.length < leastBytes && !refusesIdentity) return undefined
  // If the response is closed already, no event will say so.
  return reply.raw.destroyed ? undefined : coding
}

/**
 * An answer with a tag is not: a tag stands for bytes (P211), so each coding would need its own. Nor is one with a secret, whose
 * length would say something about it.
 */
function mayBeCompressed(request: FastifyRequest, reply: FastifyReply): boolean {
  const { described } = request.routeOptions.config
  if (described?.hasTag !== undefined || described?.hasSecret !== undefined) return false
  return String(reply.getHeader(headers.contentType)).startsWith(mediaTypes.json)
}

/** Calls back once, with undefined if it could not be compressed or nobody waits for it any more. */
function compress(
  { raw: response }: FastifyReply,
  body: Body,
  coding: AnswerCoding,
  done: (compressed: Buffer | undefined) => void,
): void {
  const compressor = compressors[coding](Buffer.byteLength(body))
  const pieces: Buffer[] = []
  const stop = () => compressor.destroy()
  underWay.add(response)
  response.on('close', stop)
  compressor.on('data', (piece: Buffer) => pieces.push(piece))
  // The answer is sent as it is then.
  compressor.on('error', () => {})
  compressor.on('close', () => {
    underWay.delete(response)
    response.off('close', stop)
    if (!compressor.readableEnded) return done(undefined)
    releaseBody(response)
    done(Buffer.concat(pieces))
  })
  compressor.end(body)
}

/** Says to caches that the answer also depends on this header of the request. */
export function addVary(reply: FastifyReply, name: string): void {
  const others = reply.getHeader(headers.vary)
  reply.header(headers.vary, others === undefined ? name : `${String(others)}, ${name}`)
}
