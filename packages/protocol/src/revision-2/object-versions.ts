// The versions of one object that are kept (P280).
import { Type } from 'typebox'

import { closed, type Wire } from '../base/wire.ts'
import { oldestReadableSchema } from '../paging/oldest-readable.ts'
import { unversionedListParametersSchema } from '../paging/page-parameters.ts'
import { pageSchema, shownVersionSchema } from '../paging/page.ts'
import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import { foundObjectSchema } from './object-record.ts'
import { objectParametersSchema } from './object-parameters.ts'

/** The query string. */
export const versionsParametersSchema = Type.Object(
  { ...unversionedListParametersSchema.properties, select: objectParametersSchema.properties.select },
  closed,
)

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

export const objectVersionSchema = Type.Union([
  Type.Object({ type: Type.Literal('put'), ...versionFacts, object: foundObjectSchema }),
  Type.Object({ type: Type.Literal('delete'), ...versionFacts }),
])
export type ObjectVersion = Wire<typeof objectVersionSchema>

export const objectVersionsPageSchema = Type.Object({
  ...pageSchema(objectVersionSchema).properties,
  version: Type.String({
    ...shownVersionSchema,
    description: 'The latest version when the first page was read; the same on all pages.',
  }),
  oldestReadable: oldestReadableSchema,
})
export type ObjectVersionsPage = Wire<typeof objectVersionsPageSchema>
