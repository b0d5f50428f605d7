import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { ModelObject } from './model-data.ts'

/** The contents of a page token. */
export interface ModelWalk {
  /** Undefined in the token of a partition, which belongs to no caller (P256). */
  readonly caller: string | undefined
  readonly identity: Readonly<Record<string, string>>
  readonly issuedAt: number
  /** The version that the walk reads; used in snapshot mode. */
  readonly version: number
  /** When the walk began. */
  readonly startedAt: number
  /** The last object of the page that carried the token. */
  readonly last: ModelObject
  readonly returned: number
  readonly total: string
  /** Only in a walk of a partition. The last partition has no end, so that whatever comes last belongs to it. */
  readonly partition?: { readonly end?: string | undefined } | undefined
}

/** The contents of a snapshot token. */
export interface ModelSnapshot {
  /** The version of each object type. */
  readonly versions: Readonly<Record<string, number>>
}

export interface TokenBox {
  readonly seal: (content: object) => string
  /** Undefined for any text that this server did not seal. */
  readonly open: (token: string) => object | undefined
}

const nonceBytes = 12
const tagBytes = 16

export function tokenBox(): TokenBox {
  const key = randomBytes(32)
  return {
    seal: (content) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()])
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open: (token) => {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.toString('base64url') !== token || bytes.length <= nonceBytes + tagBytes) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
        return JSON.parse(text.toString()) as object
      } catch {
        return undefined
      }
    },
  }
}
