import { Type } from 'typebox'

import { ridSchema } from '../values/rid.ts'
import type { Wire } from '../base/wire.ts'
import { scalarValueSchema } from '../values/property-value.ts'

/** The properties stand beside what the record says about the object. */
export const flatObjectSchema = Type.Object(
  {
    __primaryKey: scalarValueSchema,
    __apiName: Type.String(),
    __title: Type.Optional(scalarValueSchema),
    __rid: Type.Optional(ridSchema),
  },
  { additionalProperties: true },
)
export type FlatObject = Wire<typeof flatObjectSchema>
