import { requestIdPrefix } from './transport/read-answer.ts'
import type { TokenSource, Transport } from './transport/transport.ts'

export interface ClientOptions {
  /** Where the service is, such as `https://octavo.example.com`. */
  readonly url: string
  /** A bearer token, or a function that gives one; it is called for every request, so also for every page. */
  readonly token: TokenSource
  /** How often a request is sent again after 429, 502, 503, 504, or a network failure. 8 unless set. */
  readonly retries?: number
  /** The longest first pause before a request is sent again; it doubles up to 10 seconds. 200 unless set. */
  readonly backoffMilliseconds?: number
  /** A service that says to come back later than this is not waited for. 120 unless set. */
  readonly longestWaitSeconds?: number
  /** How long one request may take. 60 unless set. */
  readonly timeoutSeconds?: number
  /** Whether pages are asked for with a digest and held to it. True unless set. */
  readonly checkDigest?: boolean
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

export function transportOf(options: ClientOptions): Transport {
  // Not randomUUID, which browsers have in secure contexts only.
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

/** Browsers have it in secure contexts only. */
const hasDigests = (): boolean => (crypto as { readonly subtle?: unknown }).subtle !== undefined
