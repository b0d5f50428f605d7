import { Type } from 'typebox'

import { pageTokenSchema } from '../paging/page-token.ts'
import type { Wire } from '../wire.ts'
import { listedObjectSchema } from './object-record.ts'

export const listedObjectsPageSchema = Type.Object({
  data: Type.Array(listedObjectSchema),
  nextPageToken: Type.Optional(pageTokenSchema),
  totalCount: Type.String({
    pattern: '^(0|[1-9][0-9]*)$',
    description: 'How many objects the whole listing has; a string, since it may pass 2^53.',
  }),
  totalCountIsBound: Type.Optional(
    Type.Literal(true, {
      description: 'Present when the listing is filtered and has at least totalCount objects, perhaps more.',
    }),
  ),
})
export type ListedObjectsPage = Wire<typeof listedObjectsPageSchema>
