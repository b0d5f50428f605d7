// Whether and how bodies are compressed on their way to the service. On 16 MB of flights, zstd at level 3 made a tenth of it in a
// third of the time that gzip took.
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, createZstdCompress, gzip, zstdCompress } from 'node:zlib'
import type { ContentCoding } from '@octavo/protocol'
import { headers } from '@octavo/protocol/vocabulary'
import { isThisMachine } from '../settings/is-this-machine.ts'
import type { CompressChoice } from '../options/compress-option.ts'

export type Coding = Exclude<ContentCoding, 'identity'>

/** Undefined if bodies are sent as they are. */
export function codingFor(choice: CompressChoice, url: string): Coding | undefined {
  const automatic = isThisMachine(url) ? 'none' : 'zstd'
  const chosen = choice === 'auto' ? automatic : choice
  return chosen === 'none' ? undefined : chosen
}

export const encodingHeader = (coding: Coding | undefined): Readonly<Record<string, string>> =>
  coding === undefined ? {} : { [headers.contentEncoding]: coding }

// Without the checksum, a damaged body may unpack to something else.
const zstdOptions = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
}
const whole = {
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
  zstd: (bytes: Buffer) => promisify(zstdCompress)(bytes, zstdOptions),
} satisfies Record<Coding, unknown>

export const compressed = (bytes: Buffer, coding: Coding): Promise<Buffer> => whole[coding](bytes)

/** Compresses a body while it is made. If making it fails, so does reading it. */
export function compressing(
  pieces: AsyncIterable<Uint8Array>,
  coding: Coding | undefined,
): AsyncIterable<Uint8Array> {
  if (coding === undefined) return pieces
  const compressor = coding === 'gzip' ? createGzip() : createZstdCompress(zstdOptions)
  // The reader of the compressor gets the failure.
  return pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), compressor, () => {})
}
