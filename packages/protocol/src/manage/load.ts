import { Type } from 'typebox'

import { closed, optional, type Wire } from '../base/wire.ts'
import { pageSchema } from '../paging/page.ts'
import { commitReceiptSchema } from './commit.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const loadPhases = ['receiving', 'indexing', 'committing', 'done'] as const
export type LoadPhase = (typeof loadPhases)[number]

/** A request to begin a load. */
export const loadRequestSchema = Type.Object(
  {
    objectTypes: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 1,
      description: 'The object type whose objects are sent; later there may be several.',
    }),
    replace: optional(
      Type.Boolean({ description: 'Whether its objects become the whole contents of the type.' }),
    ),
  },
  closed,
)

/** A request to finish a load. */
export const finishRequestSchema = Type.Object(
  {
    maxDeletions: optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^(100|[0-9]{1,2})%$' })], {
        description: 'The most objects that a load that replaces may delete: a number, or a share of them.',
      }),
    ),
  },
  closed,
)

/** A load and how far it has come. */
export const loadSchema = Type.Object({
  loadId: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  objectTypes: Type.Array(Type.String()),
  replace: Type.Boolean({ description: 'Whether its objects become the whole contents of the type.' }),
  phase: Type.Enum([...loadPhases]),
  partCount: count('Parts that have arrived.'),
  objectCount: count('Objects in them; a key that is in several parts is counted in each.'),
  indexCount: count('Indexes that are built for it.'),
  builtIndexCount: count('How many of them are built so far.'),
  receipt: Type.Optional(commitReceiptSchema),
})
export type Load = Wire<typeof loadSchema>

export const loadsPageSchema = pageSchema(loadSchema)

/** The answer to a part of a load. */
export const loadPartReceiptSchema = Type.Object({
  part: count('The number of the part.'),
  objectCount: count('Objects in the part, each key once.'),
  replayed: Type.Boolean({ description: 'The part with these contents was there already.' }),
})
export type LoadPartReceipt = Wire<typeof loadPartReceiptSchema>
