// Seals and opens page tokens with AES-256-GCM. A nonce must never be used twice under one key, by any instance,
// ever: so each process seals with a key of its own, derived from the configured key and a random salt, and counts.
// The salt and the count stand in the token; any instance that has the configured key derives the same key from them.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import type { PageTokenKey } from '../config/page-token-key.ts'

const formatVersion = 1
const saltBytes = 12
const nonceBytes = 12
const countBytes = 6
const tagBytes = 16
const mostDerivedKeys = 1_000

export interface TokenSealer {
  readonly seal: (claims: Buffer) => string
  /** Nothing for any text that no instance with one of our keys has sealed. */
  readonly open: (token: string) => Buffer | undefined
}

export function tokenSealer(keys: readonly [PageTokenKey, ...PageTokenKey[]]): TokenSealer {
  const [sealing] = keys
  const salt = randomBytes(saltBytes)
  // As key objects: a cipher made from bytes makes one each time, which takes four times as long as the sealing itself.
  const derived = new Map<string, KeyObject>()
  let count = 0

  const deriveKey = (key: PageTokenKey, from: Buffer): KeyObject => {
    const name = `${key.id} ${from.toString('latin1')}`
    let found = derived.get(name)
    if (found === undefined) {
      found = createSecretKey(
        createHmac('sha256', key.bytes).update('octavo page token').update(from).digest(),
      )
      // Salts come from tokens, which anybody can make up: what is remembered is bounded.
      if (derived.size >= mostDerivedKeys) derived.clear()
      derived.set(name, found)
    }
    return found
  }
  const sealingKey = deriveKey(sealing, salt)

  return {
    seal: (claims) => {
      count += 1
      const id = Buffer.from(sealing.id)
      const nonce = Buffer.alloc(nonceBytes)
      nonce.writeUIntBE(count, nonceBytes - countBytes, countBytes)
      const header = Buffer.concat([
        Buffer.from([formatVersion, id.length]),
        id,
        salt,
        nonce.subarray(nonceBytes - countBytes),
      ])
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce)
      cipher.setAAD(header)
      const sealed = Buffer.concat([cipher.update(claims), cipher.final()])
      return Buffer.concat([header, sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open: (token) => {
      const bytes = Buffer.from(token, 'base64url')
      // Base64 has several texts for the same bytes; only the one we write is a token.
      if (bytes.toString('base64url') !== token) return undefined
      const idLength = bytes[1] ?? 0
      const headerLength = 2 + idLength + saltBytes + countBytes
      if (bytes[0] !== formatVersion || bytes.length < headerLength + tagBytes) return undefined
      const id = bytes.subarray(2, 2 + idLength).toString()
      const key = keys.find((candidate) => candidate.id === id)
      if (key === undefined) return undefined
      const header = bytes.subarray(0, headerLength)
      const nonce = Buffer.alloc(nonceBytes)
      header.copy(nonce, nonceBytes - countBytes, headerLength - countBytes)
      const itsSalt = header.subarray(2 + idLength, 2 + idLength + saltBytes)
      const decipher = createDecipheriv('aes-256-gcm', deriveKey(key, itsSalt), nonce, {
        authTagLength: tagBytes,
      })
      decipher.setAAD(header)
      decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
      try {
        const claims = decipher.update(bytes.subarray(headerLength, bytes.length - tagBytes))
        return Buffer.concat([claims, decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}
