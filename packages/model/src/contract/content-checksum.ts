// The checksum of objects as a reader without any of our code computes it: canonical JSON (RFC 8785) by sorting, and XXH64 as its
// specification writes it. Slow, and independent of what the service and the client use.

interface HashedObject {
  readonly primaryKey?: unknown
  readonly properties: Readonly<Record<string, unknown>>
}

export function checksumOf(objects: readonly HashedObject[]): string {
  const sum = objects.reduce((total, object) => u64(total + hashOf(object)), 0n)
  return sum.toString(16).padStart(16, '0')
}

export const hashOf = (object: HashedObject): bigint => xxh64(canonicalObject(object))

export const canonicalObject = ({ primaryKey, properties }: HashedObject): string =>
  canonicalJson({ primaryKey, properties })

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

const [p1, p2, p3, p4, p5] = [
  11400714785074694791n,
  14029467366897019727n,
  1609587929392839161n,
  9650029242287828579n,
  2870177450012600261n,
] as const

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value)
const rotated = (value: bigint, bits: bigint): bigint => u64((value << bits) | (value >> (64n - bits)))
const round = (lane: bigint, word: bigint): bigint => u64(rotated(u64(lane + word * p2), 31n) * p1)
const merged = (hash: bigint, lane: bigint): bigint => u64((hash ^ round(0n, lane)) * p1 + p4)

export function xxh64(text: string): bigint {
  const bytes = Buffer.from(text)
  let at = 0
  let hash: bigint = p5
  if (bytes.length >= 32) {
    const lanes: [bigint, bigint, bigint, bigint] = [u64(p1 + p2), p2, 0n, u64(-p1)]
    for (; at + 32 <= bytes.length; at += 32) {
      for (const i of [0, 1, 2, 3] as const) lanes[i] = round(lanes[i], bytes.readBigUInt64LE(at + 8 * i))
    }
    const [a, b, c, d] = lanes
    hash = u64(rotated(a, 1n) + rotated(b, 7n) + rotated(c, 12n) + rotated(d, 18n))
    for (const lane of lanes) hash = merged(hash, lane)
  }
  hash = u64(hash + BigInt(bytes.length))
  for (; at + 8 <= bytes.length; at += 8) {
    hash = u64(rotated(hash ^ round(0n, bytes.readBigUInt64LE(at)), 27n) * p1 + p4)
  }
  for (; at + 4 <= bytes.length; at += 4) {
    hash = u64(rotated(hash ^ u64(BigInt(bytes.readUInt32LE(at)) * p1), 23n) * p2 + p3)
  }
  for (; at < bytes.length; at += 1) {
    hash = u64(rotated(hash ^ u64(BigInt(bytes.readUInt8(at)) * p5), 11n) * p1)
  }
  hash = u64((hash ^ (hash >> 33n)) * p2)
  hash = u64((hash ^ (hash >> 29n)) * p3)
  return hash ^ (hash >> 32n)
}
