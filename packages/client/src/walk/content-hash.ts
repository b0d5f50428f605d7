// The sum of the hashes of objects: XXH64 of the canonical JSON of each (P250). The hash is WebAssembly, made from content-hash.wat:
// in JavaScript it would take as long as receiving and parsing the object.
import { contentHashCode } from './content-hash-code.ts'

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
let hasher: Hasher | undefined
let bytes = new Uint8Array()

/** The sum of hashes, in hexadecimal, with those of these objects; undefined where WebAssembly is forbidden. */
export function addHashes(sum: string, objects: readonly unknown[]): string | undefined {
  hasher ??= makeHasher()
  if (hasher === undefined) return undefined
  let total = BigInt(`0x${sum}`)
  for (const object of objects) {
    const text = canonicalText(object)
    // A text has at most three bytes for each of its units.
    if (text.length * 3 > bytes.length) bytes = roomFor(text.length * 3, hasher)
    total += hasher.hash(encoder.encodeInto(text, bytes).written)
  }
  return asText(total)
}

/** Undefined if one of them is not known. */
export function sumOfChecksums(sums: readonly (string | undefined)[]): string | undefined {
  let total = 0n
  for (const sum of sums) {
    if (sum === undefined) return undefined
    total += BigInt(`0x${sum}`)
  }
  return asText(total)
}

const asText = (sum: bigint): string => BigInt.asUintN(64, sum).toString(16).padStart(16, '0')

export const noHashes = '0'.repeat(16)

function makeHasher(): Hasher | undefined {
  try {
    const code = Uint8Array.from(atob(contentHashCode), (byte) => byte.charCodeAt(0))
    return new WebAssembly.Instance(new WebAssembly.Module(code)).exports as Hasher
  } catch {
    // The security policy of a web page may forbid it.
    return undefined
  }
}

function roomFor(length: number, { memory }: Hasher): Uint8Array<ArrayBuffer> {
  const missing = length - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
  return new Uint8Array(memory.buffer)
}

function canonicalText(object: unknown): string {
  const { primaryKey, properties } = (object ?? {}) as Readonly<Record<string, unknown>>
  return JSON.stringify({ primaryKey, properties: inOrder(properties) })
}

/** The same value if its names are in order, as the service sends them; otherwise a copy that is. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return typeof value[0] === 'object' ? value.map(inOrder) : value
  const members = value as Readonly<Record<string, unknown>>
  let before = ''
  let isInOrder = true
  for (const name in members) {
    const member = members[name]
    if (name < before || (typeof member === 'object' && inOrder(member) !== member)) isInOrder = false
    before = name
  }
  if (isInOrder) return value
  const names = Object.keys(members).toSorted()
  return Object.fromEntries(names.map((name) => [name, inOrder(members[name])]))
}
