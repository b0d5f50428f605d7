import { Type } from 'typebox'

import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import type { Wire } from '../base/wire.ts'
import { commitCountsSchema } from './commit-counts.ts'
import { sourcePositionSchema } from './source-position.ts'
import { oldestReadableSchema } from './oldest-readable.ts'
import { pageSchema, totalCountSchema } from './page.ts'

/** A commit as readers of an object type see it (P285): without counts if the type has a policy. */
export const typeCommitSchema = Type.Object({
  version: Type.String({ pattern: longTextPattern, description: 'The version of the state that it made.' }),
  committedAt: Type.String({ pattern: timestampTextPattern }),
  ...Type.Partial(Type.Object(commitCountsSchema)).properties,
  totalCount: Type.Optional(
    Type.String({ ...totalCountSchema, description: 'Objects of the type after the commit.' }),
  ),
  source: Type.Optional(sourcePositionSchema),
})
export type TypeCommit = Wire<typeof typeCommitSchema>

export const typeCommitsPageSchema = Type.Object({
  ...pageSchema(typeCommitSchema).properties,
  oldestReadable: oldestReadableSchema,
})
export type TypeCommitsPage = Wire<typeof typeCommitsPageSchema>
