import { Type } from 'typebox'

import { limits } from '../base/limits.ts'

/** Opaque to every client; only the service can open it. */
export type PageToken = string & { readonly '~brand': 'PageToken' }

/** Never empty (an empty token makes some clients loop for ever) and safe in a URL without encoding. */
export const pageTokenSchema = Type.Unsafe<PageToken>(
  Type.String({
    minLength: 1,
    maxLength: limits.pageToken.characters,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'The nextPageToken of the previous page, unchanged.',
  }),
)
