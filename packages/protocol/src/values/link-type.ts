import { Type } from 'typebox'

import type { Wire } from '../base/wire.ts'

/** One side of a link, as an object type shows it under its name. */
export const linkTypeSchema = Type.Object({
  objectType: Type.String({ description: 'The object type that the link leads to.' }),
  cardinality: Type.Enum(['ONE', 'MANY']),
  foreignKeyProperty: Type.Optional(
    Type.String({ description: 'The property that holds the keys, if it is one of this object type.' }),
  ),
  reverse: Type.String({ description: 'The name of the link on the other side.' }),
})
export type LinkType = Wire<typeof linkTypeSchema>

export const linkTypesSchema = Type.Record(Type.String(), linkTypeSchema)
