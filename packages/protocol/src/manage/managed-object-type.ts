import { Type } from 'typebox'

import { pageSchema, totalCountSchema } from '../paging/page.ts'
import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import { ridSchema } from '../values/rid.ts'
import type { Wire } from '../base/wire.ts'
import { objectTypeDefinitionSchema } from './object-type-definition.ts'

/** An object type as it was applied, and its current state. */
export const managedObjectTypeSchema = Type.Object({
  apiName: Type.String(),
  rid: ridSchema,
  revision: Type.Integer({ minimum: 1 }),
  version: Type.String({ pattern: longTextPattern, description: 'The version of the last commit.' }),
  objects: totalCountSchema,
  committedAt: Type.String({ pattern: timestampTextPattern }),
  preparing: Type.Array(Type.String(), {
    description:
      'Properties that cannot be searched or ordered by yet: their columns or indexes are being built.',
  }),
  definition: objectTypeDefinitionSchema,
})
export type ManagedObjectType = Wire<typeof managedObjectTypeSchema>

export const managedObjectTypesPageSchema = pageSchema(managedObjectTypeSchema)
