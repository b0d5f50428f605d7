import { Type } from 'typebox'

import type { Wire } from '../base/wire.ts'
import { shownVersionSchema, totalCountIsLowerBoundSchema, totalCountSchema } from './page.ts'

export const countSchema = Type.Object({
  totalCount: totalCountSchema,
  totalCountIsLowerBound: Type.Optional(totalCountIsLowerBoundSchema),
  version: shownVersionSchema,
})
export type Count = Wire<typeof countSchema>
