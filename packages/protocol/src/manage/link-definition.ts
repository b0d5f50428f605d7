import { Type } from 'typebox'

import { apiNameSchema } from '../values/api-name.ts'
import { closed, type Wire } from '../base/wire.ts'

/**
 * A link to the objects of another type whose keys a property holds: one key, or an array of them. `reverse` is its name on the other
 * side.
 */
export const linkDefinitionSchema = Type.Object(
  { objectType: apiNameSchema, foreignKeyProperty: apiNameSchema, reverse: apiNameSchema },
  closed,
)
export type LinkDefinition = Wire<typeof linkDefinitionSchema>
