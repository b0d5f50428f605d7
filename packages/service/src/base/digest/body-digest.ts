// A digest of an answer's bytes, for a client that asks for it (RFC 9530, P151, P237, P239). It detects damage by a faulty proxy or
// network on the way; TLS protects against an attacker.
import { hash } from 'node:crypto'
import { hashOfBody } from './content-hash.ts'

export type DigestAlgorithm = 'sha-256' | 'xxh64'

/** Matches the algorithm in the list of the header, with a preference other than 0. */
const wantedIn = (algorithm: DigestAlgorithm): RegExp =>
  new RegExp(`(?:^|,)\\s*${algorithm}\\s*(?:=\\s*([1-9]|10)\\s*)?(?:,|$)`)

const forms = { 'sha-256': wantedIn('sha-256'), xxh64: wantedIn('xxh64') }

/** 0 if it is not wanted. */
function preferenceOf(algorithm: DigestAlgorithm, header: string | string[] | undefined): number {
  const found = header === undefined ? null : forms[algorithm].exec(String(header))
  return found === null ? 0 : Number(found[1] ?? 1)
}

export const wantsBodyDigest = (header: string | string[] | undefined): boolean =>
  preferenceOf('sha-256', header) > 0

/** Which digest the header asks for, of those that `Unencoded-Digest` may have. */
export function wantedDigest(header: string | string[] | undefined): DigestAlgorithm | undefined {
  const sha256 = preferenceOf('sha-256', header)
  if (preferenceOf('xxh64', header) > sha256) return 'xxh64'
  return sha256 > 0 ? 'sha-256' : undefined
}

export const bodyDigest = (body: Buffer | string, algorithm: DigestAlgorithm): string =>
  `${algorithm}=:${algorithm === 'xxh64' ? hashOfBody(body).toString('base64') : hash('sha256', body, 'base64')}:`
