import { Type } from 'typebox'

import { closed, optional, type Wire } from '../base/wire.ts'
import { pageSchema } from '../paging/page.ts'
import { positionOfSource, sourcePositionSchema } from '../paging/source-position.ts'
import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'

const { name, generation } = sourcePositionSchema.properties

/** How the positions of a source follow one another. */
export const positionOrders = {
  lsn: 'positions in the log of a PostgreSQL, such as 0/16B3748',
  integer: 'whole numbers from 0, of at most 38 digits',
  text: 'texts, compared byte by byte',
} as const
export type PositionOrder = keyof typeof positionOrders

const moveFields = {
  name,
  order: optional(
    Type.Enum(Object.keys(positionOrders) as PositionOrder[], {
      description: `How positions follow one another; needed where the source begins: ${Object.entries(
        positionOrders,
      )
        .map(([order, meaning]) => `\`${order}\`, ${meaning}`)
        .join('; ')}.`,
    }),
  ),
  generation: optional(generation),
  previousPosition: optional(
    positionOfSource(
      'The position that is stored now; left out where the source begins. Another one is refused.',
    ),
  ),
  position: positionOfSource('The position that the source has once the objects are committed.'),
}

/** The first or the last line of a batch: it is applied only if the source is where the line says. */
export const sourceLineSchema = Type.Object({ type: Type.Literal('source'), ...moveFields }, closed)
export type SourceLine = Wire<typeof sourceLineSchema>

/** The same in the body of a request. */
export const sourceMoveSchema = Type.Object(moveFields, closed)
export type SourceMove = Wire<typeof sourceMoveSchema>

/** The answer to a batch that has nothing but the line of its source. */
export const movedSourceSchema = Type.Object({
  source: sourcePositionSchema,
  committedAt: Type.String({ pattern: timestampTextPattern }),
  replayed: Type.Boolean({ description: 'The source had this position already.' }),
})
export type MovedSource = Wire<typeof movedSourceSchema>

/** A source as it is listed. */
export const sourceSchema = Type.Object({
  ...sourcePositionSchema.properties,
  order: Type.Enum(Object.keys(positionOrders) as PositionOrder[]),
  movedAt: Type.String({ pattern: timestampTextPattern, description: 'When the position was stored.' }),
  version: Type.Optional(
    Type.String({
      pattern: longTextPattern,
      description: 'The version of the commit with this position; absent if the position moved alone.',
    }),
  ),
})
export type Source = Wire<typeof sourceSchema>

export const sourcesPageSchema = pageSchema(sourceSchema)
