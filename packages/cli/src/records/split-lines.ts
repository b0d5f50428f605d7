// Splits bytes into lines without decoding them: the reader of a line checks that it is UTF-8, and the bytes of a valid line
// are sent unchanged.
import { beginning, type Line, type LineStart } from './line.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
/** How much is kept of a line that is too long: enough to recognise it. */
const keptOfLongLine = 64 * 1024

interface SplitOptions {
  readonly from?: LineStart
  readonly mostBytes: number
}

/** Yields all lines of a chunk at once: a promise for each of millions of lines would cost more than reading them. */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  { from = beginning, mostBytes }: SplitOptions,
): AsyncGenerator<readonly Line[]> {
  let { byte, line } = from
  let begun: Buffer[] = []
  let begunBytes = 0

  const finish = (rest: Buffer, lineEndBytes: number): Line => {
    const length = begunBytes + rest.length
    const whole = begun.length === 0 ? rest : Buffer.concat([...begun, rest])
    byte += length + lineEndBytes
    const isCut = length > mostBytes
    const hasReturn = lineEndBytes > 0 && !isCut && whole.at(-1) === carriageReturn
    const start = line === 1 && whole.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
    const end = isCut ? keptOfLongLine : whole.length - (hasReturn ? 1 : 0)
    const bytes = start === 0 && end === whole.length ? whole : whole.subarray(start, end)
    const made = { line, bytes, hasReturn, endByte: byte, isCut }
    line += 1
    begun = []
    begunBytes = 0
    return made
  }

  for await (const chunk of chunks) {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      lines.push(finish(chunk.subarray(start, end), 1))
      start = end + 1
    }
    if (start < chunk.length) {
      const rest = chunk.subarray(start)
      // Only the beginning of a line that is too long is kept, however long it is.
      if (begunBytes <= mostBytes) begun.push(rest)
      begunBytes += rest.length
    }
    if (lines.length > 0) yield lines
  }
  if (begunBytes > 0) yield [finish(Buffer.alloc(0), 0)]
}
