// What a request demands of what it is about to change (RFC 9110, P410).
import { matchesTag } from './digest/body-tag.ts'
import { ServiceError } from './errors/service-error.ts'

export interface Precondition {
  readonly ifMatch?: string | undefined
  /** Only `*`: nothing may be there. */
  readonly ifNoneMatch?: '*' | undefined
}

/** `etag` is the tag of what is there, or undefined if nothing is. */
export function requirePrecondition({ ifMatch, ifNoneMatch }: Precondition, etag: string | undefined): void {
  const there = etag !== undefined && { etag }
  if (ifMatch !== undefined && (etag === undefined || !matchesTag(ifMatch, etag))) {
    throw new ServiceError('PreconditionFailed', { header: 'If-Match', ...there })
  }
  if (ifNoneMatch !== undefined && etag !== undefined) {
    throw new ServiceError('PreconditionFailed', { header: 'If-None-Match', etag })
  }
}
