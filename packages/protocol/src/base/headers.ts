// HTTP/1.1 allows header names in any case; these are the lower-case forms that Node and fetch use.

export const headers = {
  authorization: 'authorization',
  contentType: 'content-type',
  contentEncoding: 'content-encoding',
  acceptEncoding: 'accept-encoding',
  contentDigest: 'content-digest',
  wantContentDigest: 'want-content-digest',
  etag: 'etag',
  idempotencyKey: 'idempotency-key',
  ifMatch: 'if-match',
  ifNoneMatch: 'if-none-match',
  location: 'location',
  retryAfter: 'retry-after',
  serverTiming: 'server-timing',
  wwwAuthenticate: 'www-authenticate',
  allow: 'allow',
  requestId: 'x-request-id',
  vary: 'vary',
} as const

/** Request headers that a browser may send. The public clients of this API family send the last two. */
export const corsAllowedHeaders = [
  headers.authorization,
  headers.contentType,
  headers.contentEncoding,
  headers.idempotencyKey,
  headers.ifMatch,
  headers.ifNoneMatch,
  headers.requestId,
  headers.wantContentDigest,
  'fetch-user-agent',
  'x-osdk-request-context',
] as const

/** Response headers that a script in a browser may read. */
export const corsExposedHeaders = [
  headers.retryAfter,
  headers.serverTiming,
  headers.requestId,
  headers.contentDigest,
  headers.etag,
  headers.location,
] as const

export const mediaTypes = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
} as const

/** What `Content-Encoding` of a batch may say; `identity` is a body that is not compressed. */
export const contentCodings = ['gzip', 'zstd', 'identity'] as const
export type ContentCoding = (typeof contentCodings)[number]

/** What `Content-Encoding` of an answer may say, the most preferred first. */
export const answerCodings = ['zstd', 'br', 'gzip'] as const
export type AnswerCoding = (typeof answerCodings)[number]
