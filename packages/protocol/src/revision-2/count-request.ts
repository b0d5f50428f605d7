import { Type } from 'typebox'

import { afterFields } from '../paging/after-position.ts'
import { snapshotTokenSchema } from '../paging/snapshot-token.ts'
import { querySchema } from '../query/query.ts'
import { closed, optional, type Wire } from '../base/wire.ts'

export const countRequestSchema = Type.Object(
  { query: optional(querySchema), snapshotToken: optional(snapshotTokenSchema), ...afterFields },
  closed,
)
export type CountRequest = Wire<typeof countRequestSchema>
