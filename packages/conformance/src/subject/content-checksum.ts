// The checksum of objects (P250), computed from what was received.
import xxhash from 'xxhash-wasm'

const xxh = await xxhash()

export interface HashedObject {
  readonly primaryKey?: unknown
  readonly properties: Readonly<Record<string, unknown>>
}

export function checksumOf(objects: readonly HashedObject[]): string {
  const sum = objects.reduce(
    (total, { primaryKey, properties }) => total + xxh.h64(canonicalJson({ primaryKey, properties })),
    0n,
  )
  return BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
}

/** RFC 8785: names in the order of their UTF-16 units; for everything else JSON.stringify is the rule. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
