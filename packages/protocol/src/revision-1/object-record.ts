import { Type } from 'typebox'

import { scalarValueSchema } from '../values/property-value.ts'
import { ridSchema } from '../values/rid.ts'
import type { Wire } from '../wire.ts'

/** Scalars only: arrays and structs of the type are left out in revision 1.0. */
export const listedObjectSchema = Type.Object({
  rid: ridSchema,
  properties: Type.Record(Type.String(), scalarValueSchema),
})
export type ListedObject = Wire<typeof listedObjectSchema>
