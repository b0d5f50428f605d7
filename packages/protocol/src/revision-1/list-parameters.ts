import { Type } from 'typebox'

import { afterParameters } from '../paging/after-position.ts'
import { pageSizeSchema } from '../paging/page-size.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { snapshotTokenSchema } from '../paging/snapshot-token.ts'
import type { Wire } from '../base/wire.ts'

/**
 * The named query parameters of list objects, as values. The filters (property-filter.ts) have no fixed names, so this
 * schema does not contain them; any other name is refused.
 */
export const listParametersSchema = Type.Object({
  pageSize: Type.Optional(pageSizeSchema),
  pageToken: Type.Optional(pageTokenSchema),
  snapshot: Type.Optional(Type.Boolean()),
  snapshotToken: Type.Optional(snapshotTokenSchema),
  properties: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Property names: a comma-separated list, or the parameter repeated.',
    }),
  ),
  orderBy: Type.Optional(
    Type.String({
      description: 'A comma-separated list of properties.{property}:{asc|desc}; asc if left out.',
    }),
  ),
  ...afterParameters,
})
export type ListParameters = Wire<typeof listParametersSchema>

export const listParameterNames = Object.keys(listParametersSchema.properties)

/** One entry of `orderBy`. `p.` is short for `properties.`. */
export const orderByEntryPattern = '^(?:properties|p)\\.(?<property>[^:,]+)(?::(?<direction>[^:,]*))?$'
