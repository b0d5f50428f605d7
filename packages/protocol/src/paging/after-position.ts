// A read may ask for a state that contains a position of a source (P439).
import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { optional } from '../base/wire.ts'
import { sourcePositionSchema } from './source-position.ts'

const { name, generation, position } = sourcePositionSchema.properties

const fields = {
  afterSource: Type.String({
    ...name,
    description: 'The name of a source; the state that is read contains afterPosition of it.',
  }),
  afterPosition: Type.String({ ...position, description: 'A position of afterSource.' }),
  afterGeneration: Type.Integer({
    ...generation,
    description: 'The generation that afterPosition is of; the newest one if left out.',
  }),
  waitSeconds: Type.Integer({
    minimum: 0,
    maximum: limits.changes.waitSeconds,
    description: 'How long to wait until afterPosition is there. 0 if left out.',
  }),
}

/** In a query string. */
export const afterParameters = {
  afterSource: Type.Optional(fields.afterSource),
  afterPosition: Type.Optional(fields.afterPosition),
  afterGeneration: Type.Optional(fields.afterGeneration),
  waitSeconds: Type.Optional(fields.waitSeconds),
}

/** In a body. */
export const afterFields = {
  afterSource: optional(fields.afterSource),
  afterPosition: optional(fields.afterPosition),
  afterGeneration: optional(fields.afterGeneration),
  waitSeconds: optional(fields.waitSeconds),
}
export const afterFieldsSchema = Type.Object(afterFields)
