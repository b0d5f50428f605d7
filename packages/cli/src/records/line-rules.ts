// What a line of any format must satisfy before it is parsed.
import { limits } from '@octavo/protocol/vocabulary'
import { lineEnd, lineStarts } from './batch-line.ts'
import { howToConvert } from './text-encoding.ts'

/** The limit of the record itself: the bytes sent around it count as well. */
export const mostRecordBytes = limits.request.batchLineBytes - lineStarts.merge.length - lineEnd.length

export const tooLong = `must be at most ${limits.request.batchLineBytes / 1024 ** 2} MiB, the maximum that the service accepts for one object`

export function notUtf8(bytes: Buffer): string {
  const index = firstBadByte(bytes)
  const byte = bytes[index]?.toString(16).toUpperCase().padStart(2, '0')
  return `must be UTF-8: byte ${index + 1} of the line is ${byte}; ${howToConvert(bytes)}`
}

/** The valid beginning ends at the first byte that differs after decoding and encoding again. */
function firstBadByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'))
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] !== again[index]) return index
  return bytes.length
}
