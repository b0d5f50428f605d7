import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'

const lineEnd = 0x0a

/**
 * Splits a stream of bytes into lines. Yields together all lines that end in one piece of the stream. Only a line that spans
 * pieces is copied.
 */
export async function* splitLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly Buffer[]> {
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const piece of pieces) {
    const lines: Buffer[] = []
    let start = 0
    for (let end = piece.indexOf(lineEnd); end !== -1; end = piece.indexOf(lineEnd, start)) {
      const last = piece.subarray(start, end)
      refuseLong(begunBytes + last.length)
      lines.push(begun.length === 0 ? last : Buffer.concat([...begun, last]))
      begun = []
      begunBytes = 0
      start = end + 1
    }
    if (start < piece.length) begun.push(piece.subarray(start))
    begunBytes += piece.length - start
    refuseLong(begunBytes)
    if (lines.length > 0) yield lines
  }
  if (begun.length > 0) yield [Buffer.concat(begun)]
}

function refuseLong(bytes: number): void {
  const maximumBytes = limits.request.batchLineBytes
  if (bytes > maximumBytes) throw new ServiceError('RequestTooLarge', { part: 'line', maximumBytes })
}
