// Splits what the server sends into messages. The driver decodes every field into a string, whatever format was requested, and
// makes an object of every row. A page must pass through as bytes, so a statement that wants bytes gets its rows in place, in
// the socket's buffer.
//
// Chunks are slices of one buffer that the socket fills again and again: code that takes a row must copy what it keeps.
import { Parser } from 'pg-protocol/dist/parser.js'
import type { RowBuffers } from './row-buffers.ts'

const dataRow = 0x44
const bindComplete = 0x32
const commandComplete = 0x43

/** The code of a message and its length, which counts itself but not the code. */
const headerBytes = 5

const restBytes = 16 * 1_024

interface ServerMessage {
  readonly name: string
}

/**
 * Takes a row in the buffer of the socket: its columns are from `at` to `end`. The bytes may change once the function has
 * returned.
 */
export type TakeRow = (bytes: Buffer, at: number, end: number) => void

export interface MessageReaderOptions {
  readonly buffers: RowBuffers
  /** Returns the function that takes the rows of the current statement, if it wants them as bytes. */
  readonly rowTaker: () => TakeRow | undefined
  readonly handle: (message: ServerMessage) => void
}

/** Takes the next chunk, which may change once the function has returned. */
export type TakeChunk = (chunk: Buffer) => void

interface DriverParser {
  readonly handlePacket: (offset: number, code: number, length: number, bytes: Buffer) => ServerMessage
}

export function messageReader({ buffers, rowTaker, handle }: MessageReaderOptions): TakeChunk {
  const parser = new Parser() as unknown as DriverParser
  /** The beginning of a message whose header has not arrived completely. */
  let header: Buffer | undefined
  /** A message that has not arrived completely, and how much of it has. */
  let begun: Buffer | undefined
  let wanted = 0
  let here = 0

  /** Most rows that arrive in two pieces fit here. */
  const rest = Buffer.allocUnsafeSlow(restBytes)

  const begin = (length: number, bytes: Buffer): void => {
    // Only for a row is it certain that no code keeps a slice of the buffer.
    const mayLieInRest = bytes[0] === dataRow && length <= restBytes
    begun = mayLieInRest ? rest : buffers.take(length)
    wanted = length
    here = bytes.copy(begun)
  }

  const read = (bytes: Buffer, at: number, end: number, takeRow: TakeRow | undefined): void => {
    const code = bytes[at] ?? 0
    if (takeRow !== undefined) takeRow(bytes, at + headerBytes, end)
    else if (!isOnTheWay(code)) handle(parser.handlePacket(at + headerBytes, code, end - at - 1, bytes))
  }

  /** A message that tells a row taker nothing new: that the rows begin, or that all have arrived. */
  const isOnTheWay = (code: number): boolean =>
    (code === bindComplete || code === commandComplete) && rowTaker() !== undefined

  /** Returns how much of the chunk belonged to the message that had begun before it. */
  const finish = (chunk: Buffer): number => {
    let at = 0
    if (header !== undefined) {
      const missing = headerBytes - header.length
      header = Buffer.concat([header, chunk.subarray(0, missing)])
      if (header.length < headerBytes) return chunk.length
      at = missing
      begin(1 + header.readUInt32BE(1), header)
      header = undefined
    }
    if (begun === undefined) return at
    const copied = chunk.copy(begun, here, at, at + wanted - here)
    here += copied
    if (here === wanted) {
      const whole = begun
      begun = undefined
      read(whole, 0, wanted, whole[0] === dataRow ? rowTaker() : undefined)
      if (whole !== rest && whole[0] === dataRow) buffers.giveBack(whole.buffer)
    }
    return at + copied
  }

  return (chunk) => {
    let at = header === undefined && begun === undefined ? 0 : finish(chunk)
    // Consecutive rows belong to one statement.
    let takeRow: TakeRow | undefined
    let wasRow = false
    while (chunk.length - at >= headerBytes) {
      const end = at + 1 + chunk.readUInt32BE(at + 1)
      if (end > chunk.length) {
        begin(end - at, chunk.subarray(at))
        return
      }
      const isRow = chunk[at] === dataRow
      if (isRow !== wasRow) takeRow = isRow ? rowTaker() : undefined
      wasRow = isRow
      read(chunk, at, end, takeRow)
      at = end
    }
    if (at < chunk.length) header = Buffer.from(chunk.subarray(at))
  }
}
