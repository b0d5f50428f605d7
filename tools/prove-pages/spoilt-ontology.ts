// What bad requests are sent to.
import type { DescribedRoute } from '../../packages/service/test/inside.ts'
import type { Collection } from '../../packages/service/test/support/page-revisions.ts'

/** What is read is never changed by these requests; what they change is read by nobody else. */
export interface BadInputTarget extends Collection {
  readonly routes: readonly [DescribedRoute, ...DescribedRoute[]]
  /** Tokens of real walks, to be used where they do not belong. */
  readonly tokens: readonly [string, ...string[]]
  /** Of callers that may do less than the others, or nothing. */
  readonly credentials: readonly [string, ...string[]]
  readonly spoilt: {
    readonly ontologyRid: string
    readonly accessTokenIds: readonly [string, ...string[]]
  }
}

export const spoiltOntology = 'spoilt'
export const spoiltTypes = ['thing', 'other', 'third'] as const
