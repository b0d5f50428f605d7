import { Type } from 'typebox'

import { propertyValueSchema, scalarValueSchema } from '../values/property-value.ts'
import { closed, type Wire } from '../base/wire.ts'

// A batch of one object type names it in the path; a batch of several names it in every line.
const objectType = Type.Optional(Type.String())

/** Replaces the whole object: a property that is absent or null has no value afterwards. */
export const putLineSchema = Type.Object(
  {
    type: Type.Literal('put'),
    objectType,
    properties: Type.Record(Type.String(), Type.Union([propertyValueSchema, Type.Null()])),
  },
  closed,
)

/** Sets the properties that it names, and leaves the others as they are; null removes a value. */
export const mergeLineSchema = Type.Object(
  {
    type: Type.Literal('merge'),
    objectType,
    properties: Type.Record(Type.String(), Type.Union([propertyValueSchema, Type.Null()])),
  },
  closed,
)

export const deleteLineSchema = Type.Object(
  { type: Type.Literal('delete'), objectType, primaryKey: scalarValueSchema },
  closed,
)

export const batchLineSchema = Type.Union([putLineSchema, mergeLineSchema, deleteLineSchema])
export type BatchLine = Wire<typeof batchLineSchema>
