import { Type } from 'typebox'

import { afterFields } from '../paging/after-position.ts'
import { pageSchema, shownVersionSchema } from '../paging/page.ts'
import { pageSizeSchema } from '../paging/page-size.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { snapshotTokenSchema } from '../paging/snapshot-token.ts'
import { querySchema } from '../query/query.ts'
import { closed, optional, type Wire } from '../base/wire.ts'

export const linkPairsRequestSchema = Type.Object(
  {
    query: optional(querySchema),
    pageToken: optional(pageTokenSchema),
    pageSize: optional(pageSizeSchema),
    snapshot: optional(Type.Boolean()),
    snapshotToken: optional(snapshotTokenSchema),
    ...afterFields,
  },
  closed,
)
export type LinkPairsRequest = Wire<typeof linkPairsRequestSchema>

/** Which object leads to which, by their primary keys as text. */
const linkPairSchema = Type.Object({ source: Type.String(), target: Type.String() })
export type LinkPair = Wire<typeof linkPairSchema>

export const linkPairsPageSchema = Type.Object({
  ...pageSchema(linkPairSchema).properties,
  version: shownVersionSchema,
  snapshotToken: Type.Optional(snapshotTokenSchema),
})
export type LinkPairsPage = Wire<typeof linkPairsPageSchema>
