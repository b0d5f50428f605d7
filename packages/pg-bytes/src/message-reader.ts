// Cuts what the server sends into messages. The driver decodes every field into a string, whatever format was asked for,
// and makes an object of every row; a page must pass through as bytes, so a statement that wants bytes is handed its rows
// where they lie.
//
// Chunks are pieces of one buffer that the socket fills again and again: whoever takes a row copies what it keeps.
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

/** A row as it lies in what the socket has read: its columns from `at` to `end`. They may change once it has returned. */
export type TakeRow = (bytes: Buffer, at: number, end: number) => void

export interface MessageReaderParts {
  readonly buffers: RowBuffers
  /** What takes the rows of the statement that is being answered, if it wants them as bytes. */
  readonly rowTaker: () => TakeRow | undefined
  readonly handle: (message: ServerMessage) => void
}

/** Takes the next chunk, which may change once it has returned. */
export type TakeChunk = (chunk: Buffer) => void

interface DriverParser {
  readonly handlePacket: (offset: number, code: number, length: number, bytes: Buffer) => ServerMessage
}

export function messageReader({ buffers, rowTaker, handle }: MessageReaderParts): TakeChunk {
  const parser = new Parser() as unknown as DriverParser
  /** The beginning of a message whose header has not come whole. */
  let header: Buffer | undefined
  /** A message of which something is still to come, and how much of it is here. */
  let begun: Buffer | undefined
  let wanted = 0
  let here = 0

  /** Most rows that come in two pieces fit here. */
  const rest = Buffer.allocUnsafeSlow(restBytes)

  const begin = (length: number, bytes: Buffer): void => {
    // Only of a row it is certain that nobody keeps a piece.
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

  /** Says nothing that whoever takes rows does not see: they begin, and they are all there. */
  const isOnTheWay = (code: number): boolean =>
    (code === bindComplete || code === commandComplete) && rowTaker() !== undefined

  /** Gives how much of the chunk belonged to what had begun before it. */
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
    // Rows in a row belong to one statement.
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
