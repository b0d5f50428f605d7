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

/** On every answer. What a caller may read is not for caches on the way: another caller may read something else. */
export const securityHeaders = ({ url, isTls }: SecurityHeadersOptions): Readonly<Record<string, string>> =>
  (isTls ? overTls : overTcp)[isPrivate(url) ? 'private' : 'all']

// Also what only looks like such a path: an error for it may say what was asked for.
const isPrivate = (url: string): boolean => /^\/*(api|manage)(?![a-z0-9])/i.test(url)
