import { Type } from 'typebox'

import type { Wire } from '../base/wire.ts'
import { commitReceiptSchema } from './commit.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const loadPhases = ['receiving', 'indexing', 'committing', 'done'] as const
export type LoadPhase = (typeof loadPhases)[number]

/** A load and how far it has come. */
export const loadSchema = Type.Object({
  loadId: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  objectType: Type.String(),
  replace: Type.Boolean({ description: 'Whether its objects become the whole contents of the type.' }),
  phase: Type.Enum([...loadPhases]),
  parts: count('Parts that have arrived.'),
  objects: count('Objects in them; a key that is in several parts is counted in each.'),
  indexes: Type.Object({
    built: count('Indexes that are built for it so far.'),
    of: count('Indexes that the type has.'),
  }),
  receipt: Type.Optional(commitReceiptSchema),
})
export type Load = Wire<typeof loadSchema>

/** The answer to a part of a load. */
export const loadPartReceiptSchema = Type.Object({
  part: count('The number of the part.'),
  objects: count('Objects in the part, each key once.'),
  replayed: Type.Boolean({ description: 'The part with these contents was there already.' }),
})
export type LoadPartReceipt = Wire<typeof loadPartReceiptSchema>
