// HTTP/1.1 writes header names in any case; these are the lower-case forms that Node and fetch use.

export const headers = {
  authorization: 'authorization',
  contentType: 'content-type',
  contentDigest: 'content-digest',
  wantContentDigest: 'want-content-digest',
  idempotencyKey: 'idempotency-key',
  retryAfter: 'retry-after',
  serverTiming: 'server-timing',
  wwwAuthenticate: 'www-authenticate',
  allow: 'allow',
  requestId: 'x-request-id',
} as const

/** What a browser may send. The last two are sent by the public clients of this API family. */
export const corsAllowedHeaders = [
  headers.authorization,
  headers.contentType,
  headers.idempotencyKey,
  headers.requestId,
  headers.wantContentDigest,
  'fetch-user-agent',
  'x-osdk-request-context',
] as const

/** What a browser's script may read from an answer. */
export const corsExposedHeaders = [
  headers.retryAfter,
  headers.serverTiming,
  headers.requestId,
  headers.contentDigest,
] as const

export const mediaTypes = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
} as const
