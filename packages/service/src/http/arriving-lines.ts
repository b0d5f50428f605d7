// Bodies of lines, which are read while they arrive, and may be compressed.
import { contentCodings, headers, mediaTypes, type ContentCoding } from '@octavo/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { ServiceError } from '../base/errors/service-error.ts'
import { shortText } from '../write/commit/shortened-value.ts'
import type { ArrivingBody } from '../write/commit/take-body.ts'

export const codingHeader = {
  'Content-Encoding': Type.Optional(
    Type.Enum([...contentCodings], {
      description: 'How the body is compressed. One coding only.',
      default: 'identity',
    }),
  ),
} as const

/** The plugin has its own content type parsers: nothing reads a body before its route does. */
export function takeLines(
  app: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(mediaTypes.ndjson, async (_: FastifyRequest, body: Readable) => body)
  app.addContentTypeParser('*', async () => {
    throw new ServiceError('Conjure:UnsupportedMediaType', { expectedMediaType: mediaTypes.ndjson })
  })
}

/**
 * The rest of a refused body is read and discarded: a client that is still sending reads no answer until it has finished, and if
 * the connection were cut in the middle of a body, the answer would be lost.
 */
export function arrivingLines(request: FastifyRequest, reply: FastifyReply): ArrivingBody {
  const { body } = request
  if (!(body instanceof Readable))
    throw new ServiceError('MissingPostBody', { expectedMediaType: mediaTypes.ndjson })
  const pieces = body.iterator({ destroyOnReturn: false })
  reply.raw.once('finish', () => void discardRest(pieces, body))
  return { pieces, coding: contentCoding(request) }
}

/** An iterator that still waits for a piece would keep the body from flowing. */
async function discardRest(pieces: AsyncIterator<Buffer>, body: Readable): Promise<void> {
  await pieces.return?.().catch(() => {})
  body.resume()
}

function contentCoding(request: FastifyRequest): ContentCoding {
  const text = request.headers[headers.contentEncoding] ?? ''
  const coding = contentCodings.find((known) => known === (text.trim().toLowerCase() || 'identity'))
  if (coding !== undefined) return coding
  throw new ServiceError('UnsupportedContentEncoding', {
    contentEncoding: shortText(text),
    acceptedEncodings: [...contentCodings],
  })
}
