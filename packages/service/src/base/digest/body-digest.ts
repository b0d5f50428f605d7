// The digest of an answer's bytes, for a client that asks for it (RFC 9530, P151). It detects damage by a faulty proxy or network on
// the way; TLS protects against an attacker.
import { hash } from 'node:crypto'

/** Matches the algorithm in the list of the header, with a preference other than 0. */
const wanted = /(?:^|,)\s*sha-256\s*(?:=\s*(?:[1-9]|10)\s*)?(?:,|$)/

export const wantsBodyDigest = (header: string | string[] | undefined): boolean =>
  header !== undefined && wanted.test(String(header))

export const bodyDigest = (body: Buffer | string): string => `sha-256=:${hash('sha256', body, 'base64')}:`
