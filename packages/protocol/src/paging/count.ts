import { Type } from 'typebox'

import type { Wire } from '../base/wire.ts'
import { snapshotVersionSchema, totalCountIsBoundSchema, totalCountSchema } from './page.ts'

export const countSchema = Type.Object({
  totalCount: totalCountSchema,
  totalCountIsBound: Type.Optional(totalCountIsBoundSchema),
  snapshotVersion: snapshotVersionSchema,
})
export type Count = Wire<typeof countSchema>
