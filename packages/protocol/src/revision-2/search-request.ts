import { Type } from 'typebox'

import { pageSizeSchema } from '../paging/page-size.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { fieldSchema } from '../query/field.ts'
import { orderDirectionSchema } from '../query/order-direction.ts'
import { querySchema } from '../query/query.ts'
import { closed, type Wire } from '../wire.ts'

export const searchOrderSchema = Type.Object(
  {
    fields: Type.Array(
      Type.Object({ field: fieldSchema, direction: Type.Optional(orderDirectionSchema) }, closed),
    ),
  },
  closed,
)
export type SearchOrder = Wire<typeof searchOrderSchema>

export const searchRequestSchema = Type.Object(
  {
    query: querySchema,
    pageToken: Type.Optional(pageTokenSchema),
    pageSize: Type.Optional(pageSizeSchema),
    orderBy: Type.Optional(searchOrderSchema),
    select: Type.Optional(Type.Array(Type.String())),
    snapshot: Type.Optional(Type.Boolean()),
  },
  closed,
)
export type SearchRequest = Wire<typeof searchRequestSchema>
