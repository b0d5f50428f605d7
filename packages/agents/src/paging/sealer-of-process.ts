import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Sealer } from './paging.ts'

const nonceBytes = 12
const tagBytes = 16

/** Seals with a key that nobody else has: what it has sealed is known until the process ends. */
export function sealerOfProcess(): Sealer {
  const key = randomBytes(32)
  return {
    seal: (bytes) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([nonce, cipher.update(bytes), cipher.final()])
      return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open: (token) => {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}
