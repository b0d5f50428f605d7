interface CheckedRequest {
  readonly method: string
  /** Sent as JSON, or as lines of objects if it is a text. */
  readonly body?: object | string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** For `fetch`. */
export const requestInit = (token: string, { method, body, headers }: CheckedRequest): RequestInit => ({
  method,
  headers: {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && {
      'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
    }),
    ...headers,
  },
  ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
})
