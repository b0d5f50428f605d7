import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'

const lineEnd = 0x0a
const space = 0x20
const tab = 0x09
const carriageReturn = 0x0d

export interface Line {
  readonly number: number
  readonly bytes: Buffer
}

/**
 * Splits a stream of bytes into the lines that are not blank. Yields together all lines that end in one piece of the stream.
 * Only a line that spans pieces is copied. Blank lines are counted without being made: a gigabyte of them compresses to a few
 * kilobytes, and would otherwise take very long.
 */
export async function* splitLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[]> {
  let begun: Buffer[] = []
  let begunBytes = 0
  let number = 1
  for await (const piece of pieces) {
    const lines: Line[] = []
    let start = 0
    for (;;) {
      if (begun.length === 0) {
        const blank = blankLines(piece, start)
        number += blank.lines
        start = blank.end
      }
      const end = piece.indexOf(lineEnd, start)
      if (end === -1) break
      const last = piece.subarray(start, end)
      refuseLong(begunBytes + last.length)
      const bytes = begun.length === 0 ? last : Buffer.concat([...begun, last])
      if (!isBlank(bytes)) lines.push({ number, bytes })
      number += 1
      begun = []
      begunBytes = 0
      start = end + 1
    }
    if (start < piece.length) begun.push(piece.subarray(start))
    begunBytes += piece.length - start
    refuseLong(begunBytes)
    if (lines.length > 0) yield lines
  }
  const bytes = Buffer.concat(begun)
  if (!isBlank(bytes)) yield [{ number, bytes }]
}

/** How many blank lines begin here, and where the last of them ends. */
function blankLines(piece: Buffer, start: number): { readonly lines: number; readonly end: number } {
  let lines = 0
  let end = start
  let longest = 0
  for (let at = start; at < piece.length; at += 1) {
    const byte = piece[at]
    if (byte === lineEnd) {
      if (at - end > longest) longest = at - end
      lines += 1
      end = at + 1
    } else if (byte !== space && byte !== tab && byte !== carriageReturn) break
  }
  refuseLong(longest)
  return { lines, end }
}

/** A loop, because a function for each byte of a line of 16 MiB holds up other requests. */
function isBlank(line: Buffer): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at]
    if (byte !== space && byte !== tab && byte !== carriageReturn) return false
  }
  return true
}

function refuseLong(bytes: number): void {
  const maximumBytes = limits.request.batchLineBytes
  if (bytes > maximumBytes)
    throw new ServiceError('RequestTooLarge', { limit: 'lineBytes', maximum: maximumBytes })
}
