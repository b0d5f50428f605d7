// Unpacks a compressed body while it arrives, in the memory of a few pieces. Every byte of it is unpacked or refused: Node's
// decompressors stop without an error where a zstd frame ends, or where zeros follow gzip.
import type { ContentCoding } from '@octavo/protocol'
import { constants, createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib'
import { ServiceError } from '../../base/errors/service-error.ts'

type Unpacker = Gunzip | ZstdDecompress

/** How many bytes are unpacked at a time. */
const pieceBytes = 64 * 1024

/** As RFC 9659 has it: a sender that asks for more memory than 8 MiB is refused. */
const mostWindowLog = 23

/** Each zstd frame needs a new unpacker, so frames of a few bytes would cost far more than their bytes. */
const mostParts = 10_000

const unpackers = {
  gzip: () => createGunzip({ chunkSize: pieceBytes }),
  zstd: () =>
    createZstdDecompress({
      chunkSize: pieceBytes,
      params: { [constants.ZSTD_d_windowLogMax]: mostWindowLog },
    }),
} satisfies Partial<Record<ContentCoding, () => Unpacker>>

export type Compression = keyof typeof unpackers

/** A body may have several parts, one after the other: the members of gzip, the frames of zstd. */
export async function* unpackBody(
  packed: AsyncIterable<Buffer>,
  compression: Compression,
): AsyncGenerator<Buffer> {
  const pieces = packed[Symbol.asyncIterator]()
  const next = async (): Promise<Buffer | undefined> => {
    const { done, value } = await pieces.next()
    return done === true ? undefined : value
  }
  try {
    let parts = 0
    for (let piece = await next(); piece !== undefined;) {
      parts += 1
      if (parts > mostParts) throw cannotUnpack(compression, `it has more than ${mostParts} frames`)
      piece = (yield* unpackPart(piece, next, compression)) ?? (await next())
    }
  } finally {
    // Not awaited: the body may be waiting for a piece that its client does not send.
    void pieces.return?.()
  }
}

/** Returns what follows the part in its last piece. */
async function* unpackPart(
  first: Buffer,
  next: () => Promise<Buffer | undefined>,
  compression: Compression,
): AsyncGenerator<Buffer, Buffer | undefined> {
  const unpacker: Unpacker = unpackers[compression]()
  const rest = feed(unpacker, first, next)
  try {
    for await (const piece of unpacker as AsyncIterable<Buffer>) {
      // A short piece would keep the memory of a long one.
      yield piece.length < pieceBytes / 2 ? Buffer.from(piece) : piece
    }
  } catch (error) {
    throw problemOf(error, compression)
  } finally {
    unpacker.destroy()
  }
  return rest
}

/** Ends with what the unpacker did not want. Never throws: a failure of the body becomes one of the unpacker. */
async function feed(
  unpacker: Unpacker,
  first: Buffer,
  next: () => Promise<Buffer | undefined>,
): Promise<Buffer | undefined> {
  // An unpacker that fails does not say so to those who wait for it to take a piece.
  let goOn = (): void => {}
  unpacker.on('error', () => {}).once('close', () => goOn())
  let given = 0
  try {
    for (let piece: Buffer | undefined = first; piece !== undefined; piece = await next()) {
      if (unpacker.destroyed) return undefined
      const taken = piece
      given += taken.length
      await new Promise<void>((resolve) => {
        goOn = resolve
        unpacker.write(taken, () => resolve())
      })
      const left = given - unpacker.bytesWritten
      if (left > 0) return taken.subarray(taken.length - left)
    }
    unpacker.end()
  } catch (error) {
    unpacker.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  return undefined
}

function problemOf(error: unknown, compression: Compression): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return cannotUnpack(compression, 'it ended early', error)
  if (code === 'ZSTD_error_frameParameter_windowTooLarge') {
    return cannotUnpack(
      compression,
      'its window is larger than 8 MiB, so use level 19 or a lower one, without --long',
      error,
    )
  }
  return /^Z(STD)?_/.test(code)
    ? cannotUnpack(compression, `it is damaged, or it is not ${compression}`, error)
    : error
}

const cannotUnpack = (contentEncoding: Compression, problem: string, cause?: unknown): ServiceError =>
  new ServiceError('InvalidCompressedBody', { contentEncoding, problem }, { cause })
