// Cuts what the server sends into messages. The driver decodes every field into a string, whatever format was asked for;
// a page must pass through as bytes, so for statements that want bytes the fields are handed over as they came.
//
// Chunks are pieces of one buffer that the socket fills again and again: whatever outlives the call is copied, once, into
// a buffer of the size that the message says at its beginning.
import { Parser } from 'pg-protocol/dist/parser.js'
import type { RowBuffers } from './row-buffers.ts'

const dataRow = 0x44

/** The code of a message and its length, which counts itself but not the code. */
const headerBytes = 5

interface ServerMessage {
  readonly name: string
}

/** The fields are pieces of one buffer that is the row's alone, with room after the last of them. */
export type BytesRow = readonly (Buffer | null)[]

/** So that what follows the last field of a row, such as the end of a page, can be written behind it. */
const roomAfterRow = 2_048

export interface MessageReaderParts {
  readonly buffers: RowBuffers
  /** Whether the statement that is being answered wants its rows as bytes. */
  readonly wantsBytes: () => boolean
  readonly handle: (message: ServerMessage) => void
}

/** Takes the next chunk, which may change once it has returned. */
export type TakeChunk = (chunk: Buffer) => void

interface DriverParser {
  readonly handlePacket: (offset: number, code: number, length: number, bytes: Buffer) => ServerMessage
}

export function messageReader({ buffers, wantsBytes, handle }: MessageReaderParts): TakeChunk {
  const parser = new Parser() as unknown as DriverParser
  /** The beginning of a message whose header has not come whole. */
  let header: Buffer | undefined
  /** A message of which something is still to come, and how much of it is here. */
  let begun: Buffer | undefined
  let wanted = 0
  let here = 0

  const begin = (length: number, bytes: Buffer): void => {
    begun = wantsBytes() ? buffers.take(length + roomAfterRow) : Buffer.allocUnsafeSlow(length)
    wanted = length
    here = bytes.copy(begun)
  }

  /** `isOwn`: the bytes belong to this message alone. */
  const read = (bytes: Buffer, at: number, isOwn: boolean): void => {
    const code = bytes[at] ?? 0
    const length = bytes.readUInt32BE(at + 1)
    if (code !== dataRow || !wantsBytes()) {
      handle(parser.handlePacket(at + headerBytes, code, length, bytes))
      return
    }
    let own = bytes
    if (!isOwn) {
      own = buffers.take(1 + length + roomAfterRow)
      bytes.copy(own, 0, at, at + 1 + length)
    }
    handle({ name: 'dataRow', fields: readRow(own) } as ServerMessage)
  }

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
      read(whole, 0, true)
    }
    return at + copied
  }

  return (chunk) => {
    let at = header === undefined && begun === undefined ? 0 : finish(chunk)
    while (chunk.length - at >= headerBytes) {
      const length = 1 + chunk.readUInt32BE(at + 1)
      if (at + length > chunk.length) {
        begin(length, chunk.subarray(at))
        return
      }
      read(chunk, at, false)
      at += length
    }
    if (at < chunk.length) header = Buffer.from(chunk.subarray(at))
  }
}

function readRow(whole: Buffer): BytesRow {
  const fields: (Buffer | null)[] = []
  let at = headerBytes + 2
  for (let left = whole.readInt16BE(headerBytes); left > 0; left -= 1) {
    const size = whole.readInt32BE(at)
    at += 4
    if (size === -1) {
      fields.push(null)
      continue
    }
    fields.push(whole.subarray(at, at + size))
    at += size
  }
  return fields
}
