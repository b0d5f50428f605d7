// Buffers for rows, reused once their page has been sent. A new one for every page costs more than it seems: its memory is
// outside V8's heap, and V8 answers growth there with collections of the whole heap, one for every ninety pages of a thousand
// objects.

export interface RowBuffers {
  /** Returns a buffer of at least this size; its contents are left over from other rows. */
  readonly take: (bytes: number) => Buffer
  /** Nothing may read or write the memory afterwards. Memory that was not taken here, or was given back before, is ignored. */
  readonly giveBack: (memory: ArrayBufferLike) => void
}

export interface RowBuffersOptions {
  /** The limit for buffers that wait to be reused. */
  readonly mostBytes: number
}

/** Sizes are powers of two, so that a page finds a buffer that another page of its kind has given back. */
const smallest = 16 * 1_024
const largest = 16 * 1_024 * 1_024

export function rowBuffers({ mostBytes }: RowBuffersOptions): RowBuffers {
  const waiting = new Map<number, ArrayBufferLike[]>()
  let waitingBytes = 0
  const taken = new WeakSet<ArrayBufferLike>()

  return {
    take: (bytes) => {
      if (bytes > largest) return Buffer.allocUnsafeSlow(bytes)
      const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(bytes)))
      const found = waiting.get(size)?.pop()
      if (found !== undefined) waitingBytes -= size
      const buffer = found === undefined ? Buffer.allocUnsafeSlow(size) : Buffer.from(found)
      taken.add(buffer.buffer)
      return buffer
    },
    giveBack: (memory) => {
      if (!taken.delete(memory) || waitingBytes + memory.byteLength > mostBytes) return
      waitingBytes += memory.byteLength
      const ofSize = waiting.get(memory.byteLength)
      if (ofSize === undefined) waiting.set(memory.byteLength, [memory])
      else ofSize.push(memory)
    },
  }
}
