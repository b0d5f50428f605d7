// The sum of the hashes of objects: XXH64 of the canonical JSON of each (P250).
import { canHash, hashOfText } from '../hash/xxh64.ts'

/** The sum of hashes, in hexadecimal, with those of these objects; undefined where nothing can be hashed. */
export function addHashes(sum: string, objects: readonly unknown[]): string | undefined {
  if (!canHash()) return undefined
  let total = BigInt(`0x${sum}`)
  for (const object of objects) total += hashOfText(canonicalText(object))
  return asText(total)
}

/**
 * The hash of one object with all its properties (P250), which is also the checksum of a copy that has only this object. Undefined
 * where WebAssembly is forbidden.
 */
export const hashOfObject = (object: {
  readonly primaryKey: string
  readonly properties: object
}): string | undefined => addHashes(noHashes, [object])

/**
 * The checksum of several partitions together, from those of each, less those of `without`; undefined if one of them is not known. A
 * copy keeps its own with it: `sumOfChecksums([checksum, hashOfObject(put)], [hashOfObject(replaced)])`.
 */
export function sumOfChecksums(
  sums: readonly (string | undefined)[],
  without: readonly (string | undefined)[] = [],
): string | undefined {
  if (sums.includes(undefined) || without.includes(undefined)) return undefined
  const add = (total: bigint, sum: string | undefined) => total + BigInt(`0x${sum}`)
  return asText(sums.reduce(add, 0n) - without.reduce(add, 0n))
}

const asText = (sum: bigint): string => BigInt.asUintN(64, sum).toString(16).padStart(16, '0')

export const noHashes = '0'.repeat(16)

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
