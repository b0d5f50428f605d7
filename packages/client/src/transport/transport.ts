import type { OctavoError } from '../errors/octavo-error.ts'

export interface TokenRequest {
  /** True if the service refused the previous token for this same request, so the next token must be a new one. */
  readonly refused: boolean
}

/** The argument of `onRetry`. */
export interface RetryNotice {
  /** Which attempt at the request failed: 1 is the first. */
  readonly attempt: number
  /** How long the client waits before the next attempt. */
  readonly waitMilliseconds: number
  /** What the client would throw if there were no further attempt. */
  readonly cause: OctavoError
}

export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>)

/** Where and how requests are sent; created once from the options of the client. */
export interface Transport {
  readonly url: string
  readonly token: TokenSource
  /** Throws if what the function `token` returned cannot be a token. */
  readonly requireToken: (token: unknown, isReturned: true) => void
  readonly onRetry: (retry: RetryNotice) => void
  readonly fetch: typeof globalThis.fetch
  readonly retries: number
  readonly backoffMilliseconds: number
  readonly longestWaitSeconds: number
  readonly timeoutSeconds: number
  /**
   * What `Accept-Encoding` says: the first, and the next one once a compressed answer could not be read, because some `fetch` does
   * not unpack what it did not ask for itself. Undefined leaves it to `fetch`.
   */
  readonly accepts: readonly (string | undefined)[]
  readonly newRequestId: () => string
  /**
   * What this service has done so far: once it has returned the request id, it must always do so. `accepted` is the index in
   * `accepts`.
   */
  readonly seen: { requestId: boolean; accepted: number }
}

/** Requests only read, so each can be retried. */
export interface ReadRequest {
  readonly path: string
  /** Sent with POST. A request without a body is a GET. */
  readonly body?: unknown
  /** How long the service may take longer than the time-out, because it was asked to wait. */
  readonly waitSeconds?: number
  /** Called with the bytes of an answer before they are checked. */
  readonly arrived?: (bytes: ArrayBuffer) => void
}

export type Signals = readonly (AbortSignal | undefined)[]
