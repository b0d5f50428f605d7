import { Type } from 'typebox'

import type { Wire } from '../base/wire.ts'
import { shownVersionSchema, totalCountIsBoundSchema, totalCountSchema } from './page.ts'

export const countSchema = Type.Object({
  totalCount: totalCountSchema,
  totalCountIsBound: Type.Optional(totalCountIsBoundSchema),
  version: shownVersionSchema,
})
export type Count = Wire<typeof countSchema>
