// The versions of one object that are kept (P280): what each revision adds is the shape of its record.
import { Type, type TProperties, type TSchema } from 'typebox'

import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import type { Wire } from '../base/wire.ts'
import { pageSchema, shownVersionSchema } from './page.ts'

/** The oldest state that can be read. */
export const oldestReadableSchema = Type.Object(
  {
    version: Type.String({ pattern: longTextPattern }),
    committedAt: Type.String({ pattern: timestampTextPattern }),
  },
  { description: 'The oldest state that can be read: nothing is known of what ended before it.' },
)
export type OldestReadable = Wire<typeof oldestReadableSchema>

const versionFacts = {
  version: Type.String({ pattern: longTextPattern, description: 'The commit that made this state.' }),
  committedAt: Type.Optional(
    Type.String({
      pattern: timestampTextPattern,
      description: 'Absent if that commit is older than the commits that are kept.',
    }),
  ),
  untilVersion: Type.Optional(
    Type.String({
      pattern: longTextPattern,
      description: 'The commit that ended this state; absent for the one that still stands.',
    }),
  ),
}

export const putVersionSchema = <Record extends TProperties>(record: Record) =>
  Type.Object({ type: Type.Literal('put'), ...versionFacts, ...record })

export const deleteVersionSchema = Type.Object({ type: Type.Literal('delete'), ...versionFacts })

export const versionsPageSchema = <Item extends TSchema>(item: Item) =>
  Type.Object({
    ...pageSchema(item).properties,
    version: Type.String({
      ...shownVersionSchema,
      description: 'The latest version when the first page was read; the same on all pages.',
    }),
    oldestReadable: oldestReadableSchema,
  })
