import { Type } from 'typebox'

import { ridSchema } from '../values/rid.ts'
import type { Wire } from '../base/wire.ts'

/** One difference between the applied definition and the declared one. */
export const definitionChangeSchema = Type.Object({
  path: Type.String({ description: 'A JSON pointer into the definition.' }),
  before: Type.Optional(Type.Unknown({ description: 'Absent where nothing was declared.' })),
  after: Type.Optional(Type.Unknown({ description: 'Absent where nothing is declared any more.' })),
})
export type DefinitionChange = Wire<typeof definitionChangeSchema>

const outcome = Type.Enum(['created', 'updated', 'unchanged'], {
  description: 'What the definition did, or, in a dry run, what it would do.',
})
const changes = Type.Array(definitionChangeSchema)

const dryRun = Type.Optional(Type.Literal(true, { description: 'Nothing was changed.' }))

export const appliedOntologySchema = Type.Object({
  dryRun,
  outcome,
  changes,
  rid: Type.Optional(ridSchema),
})
export type AppliedOntology = Wire<typeof appliedOntologySchema>

export const appliedObjectTypeSchema = Type.Object({
  dryRun,
  outcome,
  changes,
  revision: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Grows with every change of the definition.' }),
  ),
})
export type AppliedObjectType = Wire<typeof appliedObjectTypeSchema>
