// XXH64 with seed 0, as WebAssembly made from xxh64.wat: in JavaScript it would take as long as receiving and parsing an object.
import { xxh64Code } from './xxh64-code.ts'

interface Hasher {
  /** The hash of the first bytes of the memory. */
  readonly hash: (length: number) => bigint
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number }
}

/** What is used of it: not every set of types that a program is compiled with has it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}

const encoder = new TextEncoder()
const pageBytes = 65_536
/** Null where WebAssembly is forbidden. */
let hasher: Hasher | null | undefined
let room = new Uint8Array()

/** False where WebAssembly is forbidden: nothing can be hashed there. */
export const canHash = (): boolean => (hasher ??= makeHasher()) !== null

export function hashOfText(text: string): bigint {
  // A text has at most three bytes for each of its units.
  const made = makeRoom(text.length * 3)
  return made.hash(encoder.encodeInto(text, room).written)
}

/** The caller has checked that hashing is possible. */
function makeRoom(length: number): Hasher {
  const made = hasher as Hasher
  if (length > room.length) {
    const missing = length - made.memory.buffer.byteLength
    if (missing > 0) made.memory.grow(Math.ceil(missing / pageBytes))
    room = new Uint8Array(made.memory.buffer)
  }
  return made
}

function makeHasher(): Hasher | null {
  try {
    const code = Uint8Array.from(atob(xxh64Code), (byte) => byte.charCodeAt(0))
    return new WebAssembly.Instance(new WebAssembly.Module(code)).exports as Hasher
  } catch {
    // The security policy of a web page may forbid it.
    return null
  }
}
