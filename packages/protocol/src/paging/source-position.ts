import { Type } from 'typebox'

import type { Wire } from '../base/wire.ts'
import { plainTextPattern } from '../values/plain-text.ts'

const sourceNamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'

const name = Type.String({
  pattern: sourceNamePattern,
  description: 'The name of the source within its ontology: letters, digits, dots, dashes, underscores.',
})
const generation = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Grows when the source gives out its positions again, as after a restore. 1 if left out.',
})
export const positionOfSource = (description: string) =>
  Type.String({ pattern: plainTextPattern, minLength: 1, maxLength: 255, description })

/** A position of a source, and which generation of its positions it is of. */
export const sourcePositionSchema = Type.Object({
  name,
  generation,
  position: positionOfSource('How far the objects are those of the source.'),
})
export type SourcePosition = Wire<typeof sourcePositionSchema>
