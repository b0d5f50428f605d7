// Buffers of rows, used again once their page has been sent. A new one for every page costs more than it seems: its memory
// lies outside V8's heap, and V8 answers growth there with collections of the whole heap, one for every ninety pages of a
// thousand objects.

export interface RowBuffers {
  /** At least so large; what is in it is left over from another row. */
  readonly take: (bytes: number) => Buffer
  /** Nothing may read or write it afterwards. One that was not taken here, or was given back before, is left alone. */
  readonly giveBack: (memory: ArrayBufferLike) => void
}

export interface RowBuffersOptions {
  /** Of those that wait to be used again. */
  readonly mostBytes: number
}

/** Sizes are powers of two: a page finds one that another page of its kind has left. */
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
