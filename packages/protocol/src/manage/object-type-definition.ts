import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { orderDirectionSchema } from '../query/order-direction.ts'
import { apiNameSchema } from '../values/api-name.ts'
import {
  descriptionSchema,
  displayNameSchema,
  objectTypeStatusSchema,
  objectTypeVisibilitySchema,
} from '../values/object-type-texts.ts'
import { propertyNameKey, propertyTypeSchema } from '../values/property-type.ts'
import { closed, type Wire } from '../base/wire.ts'
import { linkDefinitionSchema } from './link-definition.ts'
import { policyQuerySchema } from './policy-query.ts'

export const propertyDefinitionSchema = Type.Object(
  {
    type: propertyTypeSchema,
    displayName: Type.Optional(displayNameSchema),
    description: Type.Optional(descriptionSchema),
    required: Type.Optional(Type.Boolean({ description: 'An object without a value is refused.' })),
    searchable: Type.Optional(Type.Boolean({ description: 'Queries and filters may name the property.' })),
    sortable: Type.Optional(
      Type.Boolean({
        description: 'Pages may be ordered by the property, in both directions. Scalars only.',
      }),
    ),
    counted: Type.Optional(
      Type.Boolean({
        description:
          'Every commit keeps the number of objects with each value, so that counting by value is immediate. Strings, booleans, integers and longs only.',
      }),
    ),
  },
  closed,
)
export type PropertyDefinition = Wire<typeof propertyDefinitionSchema>

export const orderKeySchema = Type.Object({ field: apiNameSchema, direction: orderDirectionSchema }, closed)
export type OrderKey = Wire<typeof orderKeySchema>

/** A composite order must be declared, because each one costs an index. In the form of `orderBy` in a search. */
export const declaredOrderSchema = Type.Object(
  { fields: Type.Array(orderKeySchema, { minItems: 2, maxItems: limits.order.keys }) },
  closed,
)
export type DeclaredOrder = Wire<typeof declaredOrderSchema>

/** What an operator applies. Rules that a schema cannot express (the primary key exists, ...) are `InvalidDefinition`. */
export const objectTypeDefinitionSchema = Type.Object(
  {
    apiName: apiNameSchema,
    displayName: displayNameSchema,
    description: Type.Optional(descriptionSchema),
    status: Type.Optional(objectTypeStatusSchema),
    visibility: Type.Optional(objectTypeVisibilitySchema),
    primaryKey: apiNameSchema,
    titleProperty: apiNameSchema,
    properties: Type.Record(propertyNameKey, propertyDefinitionSchema, {
      ...closed,
      minProperties: 1,
      maxProperties: limits.definition.properties,
    }),
    orders: Type.Optional(Type.Array(declaredOrderSchema, { maxItems: limits.definition.orders })),
    links: Type.Optional(
      Type.Record(propertyNameKey, linkDefinitionSchema, {
        ...closed,
        maxProperties: limits.definition.links,
      }),
    ),
    policy: Type.Optional(policyQuerySchema),
  },
  closed,
)
export type ObjectTypeDefinition = Wire<typeof objectTypeDefinitionSchema>
