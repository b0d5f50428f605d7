import { limits, type ContentCoding } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { ContentsDigest } from '../../base/digest/contents-digest.ts'
import { unpackBody } from './unpack-body.ts'

/** Up to this size a batch is kept in memory as a whole: it is one statement, and can be read again. */
const keptBytes = 8 * 1024 * 1024

export type TakenBody =
  | { readonly kind: 'whole'; readonly pieces: readonly Buffer[] }
  /** Can be read only once. */
  | { readonly kind: 'streamed'; readonly pieces: AsyncIterable<Buffer> }

export interface ArrivingBody {
  readonly pieces: AsyncIterable<Buffer>
  readonly coding: ContentCoding
}

export interface BodyTime {
  readonly maximumSeconds: number
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

/** Reads all of a small body, or the beginning of a large one with the rest still to come. */
export async function takeBody(
  body: ArrivingBody,
  digest: ContentsDigest,
  time: BodyTime,
): Promise<TakenBody> {
  const rest = takePieces(body, digest, { ...time, maximumBytes: limits.request.batchBytes })
  const pieces: Buffer[] = []
  let bytes = 0
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    pieces.push(next.value)
    bytes += next.value.length
    if (bytes > keptBytes) return { kind: 'streamed', pieces: joined(pieces, rest) }
  }
  return { kind: 'whole', pieces }
}

/**
 * The pieces of a body, unpacked. The digest covers them as they are then: the same contents are the same batch, compressed or not
 * (P216). Clients that stop sending are disconnected elsewhere (http/slow-clients.ts), so it is enough to check the time limit when
 * a piece arrives.
 */
export async function* takePieces(
  { pieces, coding }: ArrivingBody,
  digest: ContentsDigest,
  { maximumBytes, maximumSeconds, elapsed }: BodyTime & { readonly maximumBytes: number },
): AsyncGenerator<Buffer> {
  const until = elapsed() + maximumSeconds * 1_000
  const sent = bounded(pieces, 'bodyBytes')
  const unpacked = coding === 'identity' ? sent : bounded(unpackBody(sent, coding), 'unpackedBodyBytes')
  for await (const piece of unpacked) {
    digest.update(piece)
    yield piece
  }

  async function* bounded(
    all: AsyncIterable<Buffer>,
    limit: 'bodyBytes' | 'unpackedBodyBytes',
  ): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const piece of all) {
      bytes += piece.length
      if (bytes > maximumBytes) throw new ServiceError('RequestTooLarge', { limit, maximum: maximumBytes })
      if (elapsed() > until)
        throw new ServiceError('BatchTimedOut', { limit: 'batchSeconds', maximum: maximumSeconds })
      yield piece
    }
  }
}

async function* joined(begun: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (let piece = begun.shift(); piece !== undefined; piece = begun.shift()) yield piece
  yield* rest
}
