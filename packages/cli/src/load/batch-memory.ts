// The bytes of a batch. A load makes a few of these and uses them again and again: megabytes that are new for every
// batch stay until the collector comes round to them, which was measured as half a gigabyte.
import { putLineBytes, putLineEnd, putLineStart } from '../records/put-line.ts'

export interface BatchMemory {
  /** NDJSON, as it is sent. */
  readonly body: () => Buffer
  readonly bodyBytes: () => number
  /** The line of the body that the record became. */
  readonly bodyLine: (record: number) => Buffer
  /** The record as it stands in the input, as a copy that may be kept. */
  readonly raw: (record: number) => Buffer
  readonly append: (json: Buffer | string, raw: Buffer) => void
  readonly clear: () => void
}

export interface BatchMemories {
  readonly take: () => BatchMemory
  readonly giveBack: (memory: BatchMemory) => void
}

export function batchMemories(batchBytes: number): BatchMemories {
  const free: BatchMemory[] = []
  return {
    take: () => free.pop() ?? batchMemory(batchBytes),
    giveBack: (memory) => {
      memory.clear()
      free.push(memory)
    },
  }
}

function batchMemory(batchBytes: number): BatchMemory {
  const body = growingBytes(batchBytes + 64 * 1024)
  // Of a format whose records are sent as they are, the body is where they stand.
  let raws: ReturnType<typeof growingBytes> | undefined
  return {
    body: body.all,
    bodyBytes: body.length,
    bodyLine: body.part,
    raw: (record) =>
      Buffer.from(raws?.part(record) ?? body.part(record).subarray(putLineStart.length, -putLineEnd.length)),
    append: (json, raw) => {
      // A character of a string takes at most three bytes.
      body.makeRoom(putLineBytes + (typeof json === 'string' ? json.length * 3 : json.length))
      body.add(putLineStart)
      body.add(json)
      body.add(putLineEnd)
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
      // One enormous record must not be paid for until the end.
      if (bytes.length > size * 2) bytes = Buffer.allocUnsafeSlow(size)
      length = 0
      ends.length = 0
    },
  }
}
