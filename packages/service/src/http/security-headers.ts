export interface SecurityHeadersOptions {
  readonly url: string
  readonly isTls: boolean
}

const oneYear = 31_536_000

const ofAll = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
const ofPrivate = { ...ofAll, 'cache-control': 'no-store' }
const ofTls = { 'strict-transport-security': `max-age=${oneYear}` }
const overTls = { all: { ...ofAll, ...ofTls }, private: { ...ofPrivate, ...ofTls } }
const overTcp = { all: ofAll, private: ofPrivate }

/**
 * The headers of every answer. Caches on the way must not store what a caller may read: another caller may see something else.
 */
export const securityHeaders = ({ url, isTls }: SecurityHeadersOptions): Readonly<Record<string, string>> =>
  (isTls ? overTls : overTcp)[isPrivate(url) ? 'private' : 'all']

// Includes paths that only resemble these: an error for such a path may repeat what the caller asked for.
const isPrivate = (url: string): boolean => /^\/*(api|manage|mcp|multipass)(?![a-z0-9])/i.test(url)
