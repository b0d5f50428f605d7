import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { closed, optional, type Wire } from '../base/wire.ts'
import { checksumSchema, shownVersionSchema, totalCountSchema } from '../paging/page.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { snapshotTokenSchema, type SnapshotToken } from '../paging/snapshot-token.ts'
import { querySchema } from '../query/query.ts'

export const partsRequestSchema = Type.Object(
  {
    parts: Type.Integer({
      minimum: 1,
      maximum: limits.parts.maximum,
      description: 'How many readers there will be.',
    }),
    query: optional(querySchema),
    select: optional(Type.Array(Type.String())),
    snapshotToken: optional(snapshotTokenSchema),
  },
  closed,
)
export type PartsRequest = Wire<typeof partsRequestSchema>

const partSchema = Type.Object({
  pageToken: pageTokenSchema,
  estimatedObjects: Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]*)$',
      description: 'About how many objects the part has; absent if the objects are filtered.',
    }),
  ),
})

export const partsSchema = Type.Object({
  data: Type.Array(partSchema, { description: 'The parts, in the order of the primary key.' }),
  snapshotToken: Type.Unsafe<SnapshotToken>({
    ...snapshotTokenSchema,
    description: 'The state that was split; every part is read with it.',
  }),
  version: shownVersionSchema,
  totalCount: Type.Optional(totalCountSchema),
  checksum: Type.Optional(checksumSchema),
})
export type Parts = Wire<typeof partsSchema>
