import { requestIdPrefix } from './transport/read-answer.ts'
import type { TokenSource, Transport } from './transport/transport.ts'

export interface ClientOptions {
  /** The base URL of the service, such as `https://octavo.example.com`. */
  readonly url: string
  /** A bearer token, or a function that returns one. The function is called for every request, so for every page too. */
  readonly token: TokenSource
  /** How many times a request is retried after 429, 502, 503, 504, or a network failure. The default is 8. */
  readonly retries?: number
  /** The upper bound of the first retry delay; it doubles with each retry, up to 10 seconds. The default is 200. */
  readonly backoffMilliseconds?: number
  /** If `Retry-After` is longer than this, the client does not wait but fails. The default is 120. */
  readonly longestWaitSeconds?: number
  /** The time-out of one request. The default is 60. */
  readonly timeoutSeconds?: number
  /** Whether the client requests a digest of each page and verifies it. The default is true. */
  readonly checkDigest?: boolean
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

export function transportOf(options: ClientOptions): Transport {
  // Not randomUUID: browsers offer it in secure contexts only.
  const client = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join('')
  let requests = 0
  return {
    url: options.url.replace(/\/+$/, ''),
    token: options.token,
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    retries: options.retries ?? 8,
    backoffMilliseconds: options.backoffMilliseconds ?? 200,
    longestWaitSeconds: options.longestWaitSeconds ?? 120,
    timeoutSeconds: options.timeoutSeconds ?? 60,
    wantsDigest: (options.checkDigest ?? true) && hasDigests(),
    newRequestId: () => `${requestIdPrefix}${client}-${(requests += 1)}`,
    seen: { requestId: false, digest: false },
  }
}

/** Browsers offer `crypto.subtle` in secure contexts only. */
const hasDigests = (): boolean => (crypto as { readonly subtle?: unknown }).subtle !== undefined
