import { Type } from 'typebox'

import { afterFields } from '../paging/after-position.ts'
import { pageSizeSchema } from '../paging/page-size.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { snapshotTokenSchema } from '../paging/snapshot-token.ts'
import { fieldSchema } from '../query/field.ts'
import { orderDirectionSchema } from '../query/order-direction.ts'
import { querySchema } from '../query/query.ts'
import { closed, optional, type Wire } from '../base/wire.ts'

export const searchOrderSchema = Type.Object(
  {
    fields: Type.Array(
      Type.Object({ field: fieldSchema, direction: optional(orderDirectionSchema) }, closed),
    ),
  },
  closed,
)
export type SearchOrder = Wire<typeof searchOrderSchema>

export const searchRequestSchema = Type.Object(
  {
    query: querySchema,
    pageToken: optional(pageTokenSchema),
    pageSize: optional(pageSizeSchema),
    orderBy: optional(searchOrderSchema),
    select: optional(Type.Array(Type.String())),
    snapshot: optional(Type.Boolean()),
    snapshotToken: optional(snapshotTokenSchema),
    ...afterFields,
  },
  closed,
)
/** What an export takes: it is always of one snapshot, and without a query it has all objects. */
const { snapshot: _, query, ...exported } = searchRequestSchema.properties
export const exportRequestSchema = Type.Object({ query: optional(query), ...exported }, closed)
export type ExportRequest = Wire<typeof exportRequestSchema>

export type SearchRequest = Wire<typeof searchRequestSchema>
