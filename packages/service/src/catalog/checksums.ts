// The checksum of a type at a version is the sum, modulo 2^64, of the hashes of its objects (base/digest/content-hash.ts). Every row
// has its hash in a column, and a commit adds the hashes of the rows that it writes and subtracts those of the rows that it ends:
// the clock row has the sum, and `commits` has it for each version.
import { invariant } from '../base/errors/invariant.ts'
import type { Column } from './column.ts'

const modulus = 2n ** 64n

/** The column of the hashes, which every type has. */
export function hashColumnOf({ columns }: { readonly columns: readonly Column[] }): string {
  const column = columns.find(({ role }) => role === 'hash')
  invariant(column !== undefined, 'type-without-hashes')
  return column.name
}

/** In SQL. The hashes are signed, so the first remainder may be negative. */
export const compileChecksumAfter = (checksum: string, hashed: string): string =>
  `mod(mod(${checksum} + ${hashed}, ${modulus}) + ${modulus}, ${modulus})`
