import { Type } from 'typebox'

import { afterFields } from '../paging/after-position.ts'
import { limits } from '../base/limits.ts'
import { closed, optional, type Wire } from '../base/wire.ts'
import { snapshotTokenSchema } from '../paging/snapshot-token.ts'
import { querySchema } from '../query/query.ts'
import { aggregationSchema } from './aggregation.ts'
import { groupBySchema } from './group-by.ts'

export const aggregateRequestSchema = Type.Object(
  {
    query: optional(querySchema),
    snapshotToken: optional(snapshotTokenSchema),
    ...afterFields,
    aggregation: Type.Array(aggregationSchema, { minItems: 1, maxItems: limits.aggregate.metrics }),
    groupBy: optional(Type.Array(groupBySchema, { maxItems: limits.aggregate.groupings })),
  },
  closed,
)
export type AggregateRequest = Wire<typeof aggregateRequestSchema>
