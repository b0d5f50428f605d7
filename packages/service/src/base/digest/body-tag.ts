// The `ETag` of an answer (RFC 9110, P211). It is a digest of the bytes and of nothing else: a version may be given out twice
// (P212), and what a caller sees also depends on its policy and on what it selected.
import { hash } from 'node:crypto'

export const bodyTag = (body: Buffer | string): string => `"${hash('sha256', body, 'base64url')}"`

/** The comparison is weak, as RFC 9110 says: a proxy that compresses an answer makes its tag weak. */
export function matchesTag(tags: string | undefined, tag: string): boolean {
  if (tags === undefined) return false
  if (tags.trim() === '*') return true
  return tags.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
}
