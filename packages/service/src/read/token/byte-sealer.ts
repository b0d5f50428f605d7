// Seals and opens bytes with AES-256-GCM. A nonce must never be used twice under one key, by any instance, ever. So each process
// seals with a different key, derived from the configured key and a random salt, and its nonces are a count. The salt and the
// count are in the token; any instance that has the configured key derives the same key from them.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import type { PageTokenKey } from '../../config/page-token-key.ts'

const saltBytes = 12
const nonceBytes = 12
const countBytes = 6
const tagBytes = 16
const mostDerivedKeys = 1_000

/** What a token is for. One of another kind cannot be opened: its first byte and its key are different. */
export interface TokenKind {
  readonly firstByte: number
  /** Part of the derivation of its keys. */
  readonly name: string
}

export interface ByteSealer {
  readonly seal: (bytes: Buffer) => string
  /** Returns undefined for any text that no instance with one of our keys has sealed as this kind. */
  readonly open: (token: string) => Buffer | undefined
}

export function byteSealer(keys: readonly [PageTokenKey, ...PageTokenKey[]], kind: TokenKind): ByteSealer {
  const [sealing] = keys
  const salt = randomBytes(saltBytes)
  // Kept as key objects: a cipher made from bytes creates a key object each time, which takes four times as long as the sealing
  // itself.
  const derived = new Map<string, KeyObject>()
  let count = 0

  const deriveKey = (key: PageTokenKey, from: Buffer): KeyObject => {
    const name = `${key.id} ${from.toString('latin1')}`
    let found = derived.get(name)
    if (found === undefined) {
      found = createSecretKey(createHmac('sha256', key.bytes).update(kind.name).update(from).digest())
      // Salts come from tokens, which anybody can make up, so the cache is bounded.
      if (derived.size >= mostDerivedKeys) derived.clear()
      derived.set(name, found)
    }
    return found
  }
  const sealingKey = deriveKey(sealing, salt)
  const id = Buffer.from(sealing.id)
  const front = Buffer.concat([Buffer.from([kind.firstByte, id.length]), id, salt])
  const headerLength = front.length + countBytes
  // Reused: each nonce is read before the next token is sealed, and only the count in it changes.
  const nonce = Buffer.alloc(nonceBytes)

  return {
    seal: (bytes) => {
      count += 1
      nonce.writeUIntBE(count, nonceBytes - countBytes, countBytes)
      const token = Buffer.allocUnsafe(headerLength + bytes.length + tagBytes)
      front.copy(token)
      nonce.copy(token, front.length, nonceBytes - countBytes)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce)
      cipher.setAAD(token.subarray(0, headerLength))
      cipher.update(bytes).copy(token, headerLength)
      // GCM has no final block: only the tag is left.
      cipher.final()
      cipher.getAuthTag().copy(token, headerLength + bytes.length)
      return token.toString('base64url')
    },
    open: (token) => {
      const bytes = Buffer.from(token, 'base64url')
      // Base64 has several texts for the same bytes; only the one that we write is accepted.
      if (bytes.toString('base64url') !== token) return undefined
      const idLength = bytes[1] ?? 0
      const itsHeaderLength = 2 + idLength + saltBytes + countBytes
      if (bytes[0] !== kind.firstByte || bytes.length < itsHeaderLength + tagBytes) return undefined
      const id = bytes.subarray(2, 2 + idLength).toString()
      const key = keys.find((candidate) => candidate.id === id)
      if (key === undefined) return undefined
      const itsNonce = Buffer.alloc(nonceBytes)
      bytes.copy(itsNonce, nonceBytes - countBytes, itsHeaderLength - countBytes, itsHeaderLength)
      const itsSalt = bytes.subarray(2 + idLength, 2 + idLength + saltBytes)
      const decipher = createDecipheriv('aes-256-gcm', deriveKey(key, itsSalt), itsNonce, {
        authTagLength: tagBytes,
      })
      decipher.setAAD(bytes.subarray(0, itsHeaderLength))
      decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
      try {
        const opened = decipher.update(bytes.subarray(itsHeaderLength, bytes.length - tagBytes))
        // Throws if the tag does not match; it returns no further bytes.
        decipher.final()
        return opened
      } catch {
        return undefined
      }
    },
  }
}
