import { Type } from 'typebox'

import { afterFields } from '../paging/after-position.ts'
import { limits } from '../base/limits.ts'
import { closed, optional, type Wire } from '../base/wire.ts'
import { checksumSchema, shownVersionSchema, totalCountSchema } from '../paging/page.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { snapshotTokenSchema, type SnapshotToken } from '../paging/snapshot-token.ts'
import { querySchema } from '../query/query.ts'

export const partitionsRequestSchema = Type.Object(
  {
    partitionCount: Type.Integer({
      minimum: 1,
      maximum: limits.partitions.maximum,
      description: 'How many readers there will be.',
    }),
    query: optional(querySchema),
    select: optional(Type.Array(Type.String())),
    snapshotToken: optional(snapshotTokenSchema),
    ...afterFields,
  },
  closed,
)
export type PartitionsRequest = Wire<typeof partitionsRequestSchema>

const partitionSchema = Type.Object({
  pageToken: pageTokenSchema,
  estimatedObjectCount: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'About how many objects the partition has; absent if the objects are filtered.',
    }),
  ),
})

export const partitionsSchema = Type.Object({
  data: Type.Array(partitionSchema, { description: 'The partitions, in the order of the primary key.' }),
  snapshotToken: Type.Unsafe<SnapshotToken>({
    ...snapshotTokenSchema,
    description: 'The state that was partitioned; every partition is read with it.',
  }),
  version: shownVersionSchema,
  totalCount: Type.Optional(totalCountSchema),
  checksum: Type.Optional(checksumSchema),
})
export type Partitions = Wire<typeof partitionsSchema>
