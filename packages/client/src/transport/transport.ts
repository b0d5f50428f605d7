export interface TokenRequest {
  /** True if the service refused the previous token for this same request, so the next token must be a new one. */
  readonly refused: boolean
}

export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>)

/** Where and how requests are sent; created once from the options of the client. */
export interface Transport {
  readonly url: string
  readonly token: TokenSource
  readonly fetch: typeof globalThis.fetch
  readonly retries: number
  readonly backoffMilliseconds: number
  readonly longestWaitSeconds: number
  readonly timeoutSeconds: number
  readonly wantsDigest: boolean
  readonly newRequestId: () => string
  /** What this service has done so far: once it has returned the request id or a digest, it must always do so. */
  readonly seen: { requestId: boolean; digest: boolean }
}

/** Requests only read, so each can be retried. */
export interface ReadRequest {
  readonly path: string
  /** Sent with POST. A request without a body is a GET. */
  readonly body?: unknown
  /** Called with the bytes of an answer before they are checked. */
  readonly arrived?: (bytes: ArrayBuffer) => void
}

export type Signals = readonly (AbortSignal | undefined)[]
