export interface SecurityHeadersOptions {
  readonly url: string
  readonly isTls: boolean
}

const oneYear = 31_536_000

/**
 * The headers of every answer. Caches on the way must not store what a caller may read: another caller may see something else.
 */
export const securityHeaders = ({
  url,
  isTls,
}: SecurityHeadersOptions): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...(isPrivate(url) && { 'cache-control': 'no-store' }),
  ...(isTls && { 'strict-transport-security': `max-age=${oneYear}` }),
})

// Includes paths that only resemble these: an error for such a path may repeat what the caller asked for.
const isPrivate = (url: string): boolean => /^\/*(api|manage|mcp|multipass)(?![a-z0-9])/i.test(url)
