import { Type } from 'typebox'

import { pageSchema } from '../paging/page.ts'
import { apiNameSchema } from '../values/api-name.ts'
import { objectTypeStatusSchema, objectTypeVisibilitySchema } from '../values/object-type-texts.ts'
import { ridSchema } from '../values/rid.ts'
import type { Wire } from '../base/wire.ts'

/** An object type as revision 1.0 shows it. */
export const listedObjectTypeSchema = Type.Object({
  apiName: apiNameSchema,
  displayName: Type.Optional(Type.String()),
  status: objectTypeStatusSchema,
  description: Type.Optional(Type.String()),
  visibility: Type.Optional(objectTypeVisibilitySchema),
  primaryKey: Type.Array(Type.String(), { minItems: 1, maxItems: 1 }),
  properties: Type.Record(
    Type.String(),
    Type.Object({
      baseType: Type.String({ examples: ['String', 'Long', 'Array<String>', 'Struct<first:String>'] }),
      displayName: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
    }),
  ),
  rid: ridSchema,
})
export type ListedObjectType = Wire<typeof listedObjectTypeSchema>

export const listedObjectTypesPageSchema = pageSchema(listedObjectTypeSchema)
