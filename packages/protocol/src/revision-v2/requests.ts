// The bodies of revision v2. Fields that clients of the API family send are known by name, and those that would change the answer
// are refused unless they ask for what it is anyway.
import { Type } from 'typebox'

import { aggregateSchema } from '../aggregate/aggregate.ts'
import { aggregationSchema } from '../aggregate/aggregation.ts'
import { groupBySchema } from '../aggregate/group-by.ts'
import { limits } from '../base/limits.ts'
import { closed, optional, type Wire } from '../base/wire.ts'
import { pageSizeSchema } from '../paging/page-size.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { fieldSchema } from '../query/field.ts'
import { orderDirectionSchema } from '../query/order-direction.ts'
import { objectSetSchema } from './object-set.ts'
import { propertyIdentifierSchema, whereSchema } from './where.ts'

const orderV2Schema = Type.Object(
  {
    orderType: optional(Type.Enum(['fields', 'relevance'])),
    fields: Type.Array(
      Type.Object({ field: fieldSchema, direction: optional(orderDirectionSchema) }, closed),
    ),
  },
  closed,
)

const paging = {
  pageSize: optional(pageSizeSchema),
  pageToken: optional(pageTokenSchema),
  orderBy: optional(orderV2Schema),
  select: optional(Type.Array(Type.String(), { description: 'Empty or absent: all properties.' })),
  selectV2: optional(Type.Array(propertyIdentifierSchema)),
  excludeRid: optional(Type.Boolean()),
  snapshot: optional(Type.Boolean()),
}

const onlyFalse = optional(Type.Boolean({ description: 'Only false.' }))

export const loadObjectsRequestSchema = Type.Object(
  {
    objectSet: objectSetSchema,
    ...paging,
    loadPropertySecurities: onlyFalse,
    includeComputeUsage: onlyFalse,
  },
  closed,
)
export type LoadObjectsRequest = Wire<typeof loadObjectsRequestSchema>

export const searchV2RequestSchema = Type.Object({ where: optional(whereSchema), ...paging }, closed)
export type SearchV2Request = Wire<typeof searchV2RequestSchema>

const aggregated = {
  aggregation: Type.Array(aggregationSchema, { minItems: 1, maxItems: limits.aggregate.metrics }),
  groupBy: optional(Type.Array(groupBySchema, { maxItems: limits.aggregate.groupings })),
  accuracy: optional(Type.Enum(['REQUIRE_ACCURATE', 'ALLOW_APPROXIMATE'])),
}

export const aggregateSetRequestSchema = Type.Object({ objectSet: objectSetSchema, ...aggregated }, closed)
export const aggregateV2RequestSchema = Type.Object({ where: optional(whereSchema), ...aggregated }, closed)
export const aggregateV2Schema = Type.Object({
  accuracy: Type.Enum(['ACCURATE', 'APPROXIMATE'], {
    description: 'Octavo never estimates: it is always `ACCURATE`.',
  }),
  ...aggregateSchema.properties,
})
export type AggregateV2 = Wire<typeof aggregateV2Schema>
export const countV2Schema = Type.Object({ count: Type.Integer({ minimum: 0 }) })
