// pg decodes every field into a string, whatever format was asked for. A page must pass through as bytes,
// so for statements that ask for the binary format this parser hands over the fields as they came.
import { Parser } from 'pg-protocol/dist/parser.js'

const dataRow = 0x44
const rowDescription = 0x54

interface Message {
  readonly name: string
  readonly fields?: readonly { readonly format: string }[]
}

interface PacketHandler {
  handlePacket: (offset: number, code: number, length: number, bytes: Buffer) => Message
}

export function bytesParser(): Parser {
  const parser = new Parser()
  const handler = parser as unknown as PacketHandler
  const inherited = handler.handlePacket.bind(parser)
  let wantsBytes = false
  handler.handlePacket = (offset, code, length, bytes) => {
    if (code === dataRow && wantsBytes) return readDataRow(offset, length, bytes)
    const message = inherited(offset, code, length, bytes)
    if (code === rowDescription) wantsBytes = message.fields?.[0]?.format === 'binary'
    return message
  }
  return parser
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
    // Copied, because the parser reuses its buffer for what comes next.
    fields.push(Buffer.from(bytes.subarray(at, at + size)))
    at += size
  }
  return { name: 'dataRow', length, fieldCount: fields.length, fields } as unknown as Message
}
