import { Type } from 'typebox'

import { pageSchema } from '../paging/page.ts'
import { ridSchema } from '../values/rid.ts'
import type { Wire } from '../base/wire.ts'
import { objectTypeDefinitionSchema } from './object-type-definition.ts'

/** An object type as it was applied. */
export const managedObjectTypeSchema = Type.Object({
  apiName: Type.String(),
  rid: ridSchema,
  revision: Type.Integer({ minimum: 1, description: 'Grows with every change of the definition.' }),
  preparing: Type.Array(Type.String(), {
    description:
      'Properties that cannot be searched or ordered by yet: their columns or indexes are being built.',
  }),
  definition: objectTypeDefinitionSchema,
})
export type ManagedObjectType = Wire<typeof managedObjectTypeSchema>

export const managedObjectTypesPageSchema = pageSchema(managedObjectTypeSchema)
