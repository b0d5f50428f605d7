export interface TokenRequest {
  /** The last token was refused for this very request: the next one must be a new one. */
  readonly refused: boolean
}

export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>)

/** Where and how requests are sent, made once from the options of the client. */
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
  /** What this service was seen to do: once it has named the request or sent a digest, it always must. */
  readonly seen: { requestId: boolean; digest: boolean }
}

/** Every request only reads, so each can be sent again. */
export interface ReadRequest {
  readonly path: string
  /** Sent with POST; a request without one is a GET. */
  readonly body?: unknown
  /** Told of the bytes of an answer before they are checked. */
  readonly arrived?: (bytes: ArrayBuffer) => void
}

export type Signals = readonly (AbortSignal | undefined)[]
