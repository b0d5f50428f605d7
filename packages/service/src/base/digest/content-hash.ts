// XXH64 of an object's canonical JSON (P250).
import type { FoundObject } from '@octavo/protocol'
import xxhash from 'xxhash-wasm'
import type { JsonObject } from '../value/json-object.ts'

const xxh = await xxhash()

/** Of a canonical JSON text; signed, as PostgreSQL has it. */
export const contentHash = (text: string): bigint => BigInt.asIntN(64, xxh.h64(text))

/** Of an object as revision 2.0 returns it, with all its properties; as the wire has it. */
export const checksumOf = ({
  primaryKey,
  properties,
}: Pick<FoundObject, 'primaryKey' | 'properties'>): string =>
  BigInt.asUintN(64, contentHash(JSON.stringify({ primaryKey, properties: inOrder(properties) })))
    .toString(16)
    .padStart(16, '0')

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, inOrder((value as JsonObject)[name])]))
}
