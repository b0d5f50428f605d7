import { Type } from 'typebox'

import { pageSchema } from '../paging/page.ts'
import { orderDirectionSchema } from '../query/order-direction.ts'
import { linkTypesSchema } from '../values/link-type.ts'
import { objectTypeStatusSchema, objectTypeVisibilitySchema } from '../values/object-type-texts.ts'
import { propertyTypeSchema } from '../values/property-type.ts'
import type { Wire } from '../base/wire.ts'

/** An object type as revision 2.0 shows it, including what a query may ask of each property. */
export const searchableObjectTypeSchema = Type.Object({
  apiName: Type.String(),
  displayName: Type.String(),
  description: Type.Optional(Type.String()),
  status: objectTypeStatusSchema,
  visibility: objectTypeVisibilitySchema,
  primaryKey: Type.String(),
  titleProperty: Type.String(),
  properties: Type.Record(
    Type.String(),
    Type.Object({
      type: propertyTypeSchema,
      displayName: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      searchable: Type.Boolean(),
      sortable: Type.Boolean(),
    }),
  ),
  links: linkTypesSchema,
  orders: Type.Array(
    Type.Object({
      fields: Type.Array(Type.Object({ field: Type.String(), direction: orderDirectionSchema })),
    }),
  ),
})
export type SearchableObjectType = Wire<typeof searchableObjectTypeSchema>

export const searchableObjectTypesPageSchema = pageSchema(searchableObjectTypeSchema)
