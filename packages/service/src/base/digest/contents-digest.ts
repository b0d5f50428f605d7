import { createHash } from 'node:crypto'

export interface ContentsDigest {
  readonly update: (bytes: Buffer) => void
  /** Of all that has come so far. */
  readonly value: () => string
}

/** Tells the same contents from other ones. `meaning` is part of them: the same bytes for another purpose are other contents. */
export function contentsDigest(meaning: string): ContentsDigest {
  const hash = createHash('sha256').update(`${meaning}\n`)
  return {
    update: (bytes) => void hash.update(bytes),
    value: () => hash.copy().digest('base64url'),
  }
}
