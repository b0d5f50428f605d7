import { Type } from 'typebox'

import { scalarValueSchema } from '../values/property-value.ts'
import { ridSchema } from '../values/rid.ts'
import type { Wire } from '../base/wire.ts'

/** Scalars only: revision 1.0 omits arrays and structs. */
export const listedObjectSchema = Type.Object({
  rid: ridSchema,
  properties: Type.Record(Type.String(), scalarValueSchema),
})
export type ListedObject = Wire<typeof listedObjectSchema>
