import { createHash } from 'node:crypto'

export interface ContentsDigest {
  readonly update: (bytes: Buffer) => void
  /** The digest of everything that has been added so far. */
  readonly value: () => string
}

/**
 * Tells whether two contents are the same. `meaning` is part of the contents: the same bytes for another purpose are different
 * contents.
 */
export function contentsDigest(meaning: string): ContentsDigest {
  const hash = createHash('sha256').update(`${meaning}\n`)
  return {
    update: (bytes) => void hash.update(bytes),
    value: () => hash.copy().digest('base64url'),
  }
}
