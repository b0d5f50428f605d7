// The checksum of a state, computed from its objects alone: the sum of the XXH64 of each object's canonical text.
import type { State } from './state.ts'

const mask = (1n << 64n) - 1n
const [p1, p2, p3, p4, p5] = [
  11400714785074694791n,
  14029467366897019727n,
  1609587929392839161n,
  9650029242287828579n,
  2870177450012600261n,
] as const

const rotate = (x: bigint, by: bigint): bigint => ((x << by) | (x >> (64n - by))) & mask
const round = (lane: bigint, value: bigint): bigint => (rotate((lane + value * p2) & mask, 31n) * p1) & mask

function xxh64(bytes: Buffer): bigint {
  let at = 0
  let hash: bigint = p5
  if (bytes.length >= 32) {
    let lanes: readonly [bigint, bigint, bigint, bigint] = [(p1 + p2) & mask, p2, 0n, (0n - p1) & mask]
    for (; at <= bytes.length - 32; at += 32) {
      const [a, b, c, d] = lanes
      const word = (i: number): bigint => bytes.readBigUInt64LE(at + 8 * i)
      lanes = [round(a, word(0)), round(b, word(1)), round(c, word(2)), round(d, word(3))]
    }
    const [a, b, c, d] = lanes
    hash = (rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n)) & mask
    for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * p1 + p4) & mask
  }
  hash = (hash + BigInt(bytes.length)) & mask
  for (; at + 8 <= bytes.length; at += 8)
    hash = (rotate(hash ^ round(0n, bytes.readBigUInt64LE(at)), 27n) * p1 + p4) & mask
  if (at + 4 <= bytes.length) {
    hash = (rotate(hash ^ ((BigInt(bytes.readUInt32LE(at)) * p1) & mask), 23n) * p2 + p3) & mask
    at += 4
  }
  for (; at < bytes.length; at += 1)
    hash = (rotate(hash ^ ((BigInt(bytes.readUInt8(at)) * p5) & mask), 11n) * p1) & mask
  hash = ((hash ^ (hash >> 33n)) * p2) & mask
  hash = ((hash ^ (hash >> 29n)) * p3) & mask
  return hash ^ (hash >> 32n)
}

const hashes = new Map<string, bigint>()

export function checksum(state: State): string {
  let sum = 0n
  for (const [key, properties] of state) {
    const text = `{"primaryKey":${JSON.stringify(key)},"properties":${properties}}`
    if (hashes.size > 200_000) hashes.clear()
    const hash = hashes.get(text) ?? xxh64(Buffer.from(text))
    hashes.set(text, hash)
    sum = (sum + hash) & mask
  }
  return sum.toString(16).padStart(16, '0')
}
