// XXH64 of an object's canonical JSON (P250), and of a body (P239).
import xxhash from 'xxhash-wasm'

const xxh = await xxhash()

/** Of a canonical JSON text; signed, as PostgreSQL has it. */
export const contentHash = (text: string): bigint => BigInt.asIntN(64, xxh.h64(text))

/** Eight bytes, the most significant one first. */
export function hashOfBody(body: Buffer | string): Buffer {
  const digest = Buffer.alloc(8)
  digest.writeBigUInt64BE(typeof body === 'string' ? xxh.h64(body) : xxh.h64Raw(body))
  return digest
}
