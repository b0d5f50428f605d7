// The sum of the hashes of objects: XXH64 of the canonical JSON of each (P250).
import { canHash, hashOfText } from '../hash/xxh64.ts'

/** The sum of hashes, in hexadecimal, with those of these objects; undefined where nothing can be hashed. */
export function addHashes(sum: string, objects: readonly unknown[]): string | undefined {
  if (!canHash()) return undefined
  let total = BigInt(`0x${sum}`)
  for (const object of objects) total += hashOfText(canonicalText(object))
  return asText(total)
}

/** The checksum of several parts together, from those of each; undefined if one of them is not known. */
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
