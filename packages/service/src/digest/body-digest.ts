// A digest of an answer's bytes, for a client that asks for it (RFC 9530, P151). It shows what a faulty proxy or network did
// to them on the way; against somebody who means harm there is TLS.
import { createHash } from 'node:crypto'

/** `sha-256` in the list of the header, with a preference other than 0. */
const wanted = /(?:^|,)\s*sha-256\s*(?:=\s*(?:[1-9]|10)\s*)?(?:,|$)/

export const wantsBodyDigest = (header: string | string[] | undefined): boolean =>
  header !== undefined && wanted.test(String(header))

export function bodyDigest(parts: readonly (Buffer | string)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return `sha-256=:${hash.digest('base64')}:`
}
