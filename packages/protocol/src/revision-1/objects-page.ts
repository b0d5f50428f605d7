import { Type } from 'typebox'

import { pageTokenSchema } from '../paging/page-token.ts'
import { snapshotVersionSchema, totalCountSchema } from '../paging/page.ts'
import type { Wire } from '../base/wire.ts'
import { listedObjectSchema } from './object-record.ts'

export const listedObjectsPageSchema = Type.Object({
  data: Type.Array(listedObjectSchema),
  nextPageToken: Type.Optional(pageTokenSchema),
  totalCount: totalCountSchema,
  totalCountIsBound: Type.Optional(
    Type.Literal(true, {
      description: 'Present when the listing is filtered and has at least totalCount objects, perhaps more.',
    }),
  ),
  snapshotVersion: Type.Optional(snapshotVersionSchema),
})
export type ListedObjectsPage = Wire<typeof listedObjectsPageSchema>
