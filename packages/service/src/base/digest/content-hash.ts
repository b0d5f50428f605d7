// XXH64 of an object's canonical JSON (P250).
import xxhash from 'xxhash-wasm'

const xxh = await xxhash()

/** Of a canonical JSON text; signed, as PostgreSQL has it. */
export const contentHash = (text: string): bigint => BigInt.asIntN(64, xxh.h64(text))
