import { Type } from 'typebox'

import { propertyValueSchema, scalarValueSchema } from '../values/property-value.ts'
import { checksumSchema } from '../paging/page.ts'
import { closed, optional, type Wire } from '../base/wire.ts'
import { sourceLineSchema } from './source.ts'

// A batch of one object type names it in the path; a batch of several names it in every line.
const objectType = Type.Optional(Type.String())

/** What the object has to be before the batch; otherwise nothing of the batch is applied. */
export const lineConditionSchema = Type.Union([
  Type.Object({ exists: Type.Boolean({ description: 'Whether there has to be such an object.' }) }, closed),
  Type.Object(
    {
      checksum: Type.String({
        ...checksumSchema,
        description: 'The hash of the object as it was read: nobody may have changed it since.',
      }),
    },
    closed,
  ),
])
export type LineCondition = Wire<typeof lineConditionSchema>
const condition = { if: optional(lineConditionSchema) }

/** Replaces the whole object: a property that is absent or null has no value afterwards. */
export const putLineSchema = Type.Object(
  {
    type: Type.Literal('put'),
    objectType,
    properties: Type.Record(Type.String(), Type.Union([propertyValueSchema, Type.Null()])),
    ...condition,
  },
  closed,
)

/** Sets the properties that it names, and leaves the others as they are; null removes a value. */
export const mergeLineSchema = Type.Object(
  {
    type: Type.Literal('merge'),
    objectType,
    properties: Type.Record(Type.String(), Type.Union([propertyValueSchema, Type.Null()])),
    ...condition,
  },
  closed,
)

export const deleteLineSchema = Type.Object(
  { type: Type.Literal('delete'), objectType, primaryKey: scalarValueSchema, ...condition },
  closed,
)

export const batchLineSchema = Type.Union([
  putLineSchema,
  mergeLineSchema,
  deleteLineSchema,
  sourceLineSchema,
])
export type BatchLine = Wire<typeof batchLineSchema>
