export interface SecurityHeadersOptions {
  readonly url: string
  readonly isTls: boolean
}

const oneYear = 31_536_000

/** On every answer. What a caller may read is not for caches on the way: another caller may read something else. */
export function securityHeaders({ url, isTls }: SecurityHeadersOptions): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(isPrivate(url) && { 'cache-control': 'no-store' }),
    ...(isTls && { 'strict-transport-security': `max-age=${oneYear}` }),
  }
}

// Also what only looks like such a path: an error for it may say what was asked for.
const isPrivate = (url: string): boolean => /^\/*(api|manage)(?![a-z0-9])/i.test(url)
