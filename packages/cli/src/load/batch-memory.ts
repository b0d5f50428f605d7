// The bytes of a batch. A load allocates a few of these and reuses them: a new buffer of megabytes for every batch stays
// until the garbage collector runs, which was measured as half a gigabyte.
import { lineEnd, lineStarts, type LineKind } from '../records/batch-line.ts'

export interface BatchMemory {
  /** The NDJSON to send. */
  readonly body: () => Buffer
  readonly bodyBytes: () => number
  /** The line of the body that holds the record. */
  readonly bodyLine: (record: number) => Buffer
  /** The record as it is in the input, as a copy that the caller may keep. */
  readonly raw: (record: number) => Buffer
  readonly append: (json: Buffer | string, raw: Buffer) => void
  readonly clear: () => void
}

export interface BatchMemories {
  readonly take: () => BatchMemory
  readonly giveBack: (memory: BatchMemory) => void
}

export function batchMemories(batchBytes: number, kind: LineKind): BatchMemories {
  const free: BatchMemory[] = []
  return {
    take: () => free.pop() ?? batchMemory(batchBytes, lineStarts[kind]),
    giveBack: (memory) => {
      memory.clear()
      free.push(memory)
    },
  }
}

function batchMemory(batchBytes: number, lineStart: Buffer): BatchMemory {
  const body = growingBytes(batchBytes + 64 * 1024)
  // If a format's records are sent unchanged, the body holds them, so no separate buffer is needed.
  let raws: ReturnType<typeof growingBytes> | undefined
  return {
    body: body.all,
    bodyBytes: body.length,
    bodyLine: body.part,
    raw: (record) =>
      Buffer.from(raws?.part(record) ?? body.part(record).subarray(lineStart.length, -lineEnd.length)),
    append: (json, raw) => {
      // A UTF-16 code unit takes at most three bytes in UTF-8.
      body.makeRoom(
        lineStart.length + lineEnd.length + (typeof json === 'string' ? json.length * 3 : json.length),
      )
      body.add(lineStart)
      body.add(json)
      body.add(lineEnd)
      body.endPart()
      if (json === raw) return
      raws ??= growingBytes(batchBytes)
      raws.makeRoom(raw.length)
      raws.add(raw)
      raws.endPart()
    },
    clear: () => {
      body.clear()
      raws?.clear()
    },
  }
}

function growingBytes(size: number) {
  let bytes = Buffer.allocUnsafeSlow(size)
  let length = 0
  const ends: number[] = []
  return {
    makeRoom: (room: number): void => {
      if (length + room <= bytes.length) return
      const larger = Buffer.allocUnsafeSlow(Math.max(length + room, bytes.length * 2))
      bytes.copy(larger, 0, 0, length)
      bytes = larger
    },
    add: (part: Buffer | string): void => {
      length += typeof part === 'string' ? bytes.write(part, length) : part.copy(bytes, length)
    },
    endPart: (): void => {
      ends.push(length)
    },
    length: () => length,
    all: (): Buffer => bytes.subarray(0, length),
    part: (number: number): Buffer => bytes.subarray(ends[number - 1] ?? 0, ends[number]),
    clear: (): void => {
      // Shrinks the buffer, so that one enormous record does not occupy memory until the end.
      if (bytes.length > size * 2) bytes = Buffer.allocUnsafeSlow(size)
      length = 0
      ends.length = 0
    },
  }
}
