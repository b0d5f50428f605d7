// The checksum of a type at a version is the sum, modulo 2^64, of the hashes of its objects (base/digest/content-hash.ts). Every row
// has its hash in a column, and a commit adds the hashes of the rows that it writes and subtracts those of the rows that it ends:
// the clock row has the sum, and `commits` has it for each version.
//
// The sum is right from `checksum_from` on, as long as every commit since has kept it. `checksum_version` is the version of the last
// commit that did. If it is not the newest version, an earlier release has written since, and nothing is known until all hashes
// are summed again (write/define/sum-hashes.ts).
import type { Column } from './column.ts'

const modulus = 2n ** 64n

/** The column of the hashes; undefined for tables of an earlier release, until they have it. */
export const hashColumnOf = ({ columns }: { readonly columns: readonly Column[] }): string | undefined =>
  columns.find(({ role }) => role === 'hash')?.name

/** What the clock row knows of the checksum. */
export interface ChecksumClock {
  /** The sum, which is right only if `isKnown`. */
  readonly checksum: bigint
  readonly isKnown: boolean
}

export const checksumAfter = (checksum: bigint, hashed: bigint): bigint =>
  BigInt.asUintN(64, checksum + hashed)

/** The same in SQL. The hashes are signed, so the first remainder may be negative. */
export const compileChecksumAfter = (checksum: string, hashed: string): string =>
  `mod(mod(${checksum} + ${hashed}, ${modulus}) + ${modulus}, ${modulus})`

/** Whether the sum in the clock row with this alias is that of its version. */
export const checksumIsKnown = (clock: string): string =>
  `(${clock}.checksum_version = ${clock}.version and coalesce(${clock}.checksum_from, -1) >= 0)`

/** After a commit that did not keep the sum, it is not known from any version on. */
export const checksumFromAfter = (clock: string): string =>
  `case when ${clock}.checksum_version = ${clock}.version then ${clock}.checksum_from end`
