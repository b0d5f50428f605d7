// pg decodes every field into a string, whatever format was asked for. A page must pass through as bytes,
// so for statements that ask for the binary format this parser hands over the fields as they came.
import { Parser } from 'pg-protocol/dist/parser.js'

const dataRow = 0x44
const rowDescription = 0x54

interface Message {
  readonly name: string
  readonly fields?: readonly { readonly format: string }[]
}

interface ParserInside {
  handlePacket: (offset: number, code: number, length: number, bytes: Buffer) => Message
  mergeBuffer: (chunk: Buffer) => void
  /** What has come and was not read yet: `bufferLength` bytes from `bufferOffset` on. */
  buffer: Buffer
  bufferOffset: number
  readonly bufferLength: number
}

/** The code of a message and its length, which counts itself but not the code. */
const headerBytes = 5
/** What usually comes after a page: the end of the statement, so that it fits too. */
const roomAfterMessage = 1_024

export function bytesParser(): Parser {
  const parser = new Parser()
  const inside = parser as unknown as ParserInside
  const handlePacket = inside.handlePacket.bind(parser)
  const mergeBuffer = inside.mergeBuffer.bind(parser)
  let wantsBytes = false
  let handedOver = false
  inside.handlePacket = (offset, code, length, bytes) => {
    if (code === dataRow && wantsBytes) {
      handedOver = true
      return readDataRow(offset, length, bytes)
    }
    const message = handlePacket(offset, code, length, bytes)
    if (code === rowDescription) wantsBytes = message.fields?.[0]?.format === 'binary'
    return message
  }
  inside.mergeBuffer = (chunk) => {
    // The driver moves what is left to the front of its buffer. If fields in it were handed over, it gets another one.
    if (handedOver && inside.bufferLength > 0) {
      inside.buffer = Buffer.from(
        inside.buffer.subarray(inside.bufferOffset, inside.bufferOffset + inside.bufferLength),
      )
      inside.bufferOffset = 0
    }
    handedOver = false
    makeRoom(inside, chunk)
    mergeBuffer(chunk)
  }
  return parser
}

/**
 * The driver doubles its buffer until a message fits, and copies each time: 32 MB for a page of 8 MB. The length of a
 * message stands at its beginning, so the buffer can have its final size at once.
 */
function makeRoom(inside: ParserInside, chunk: Buffer): void {
  const { buffer, bufferOffset, bufferLength } = inside
  if (bufferLength < headerBytes) return
  const messageBytes = 1 + buffer.readUInt32BE(bufferOffset + 1)
  const wanted = Math.max(messageBytes, bufferLength + chunk.length) + roomAfterMessage
  if (bufferOffset + wanted <= buffer.length || messageBytes <= bufferLength + chunk.length) return
  const larger = Buffer.allocUnsafe(wanted)
  buffer.copy(larger, 0, bufferOffset, bufferOffset + bufferLength)
  inside.buffer = larger
  inside.bufferOffset = 0
}

function readDataRow(offset: number, length: number, bytes: Buffer) {
  const fields: (Buffer | null)[] = []
  let at = offset + 2
  for (let left = bytes.readInt16BE(offset); left > 0; left -= 1) {
    const size = bytes.readInt32BE(at)
    at += 4
    if (size === -1) {
      fields.push(null)
      continue
    }
    fields.push(bytes.subarray(at, at + size))
    at += size
  }
  return { name: 'dataRow', length, fieldCount: fields.length, fields } as unknown as Message
}
