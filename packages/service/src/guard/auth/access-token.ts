// The text of an Octavo access token, and the hash that represents it everywhere else.
import { hash, randomBytes } from 'node:crypto'

const form = /^oct_[A-Za-z0-9_-]{43}$/

export const isAccessToken = (text: string): boolean => form.test(text)

export const newAccessToken = (): string => `oct_${randomBytes(32).toString('base64url')}`

/** 32 random bytes cannot be guessed, so a plain hash is enough; a slow one would only slow down the service. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'hex')
