import { Type } from 'typebox'

import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import { limits } from '../base/limits.ts'
import { closed, optional, type Wire } from '../base/wire.ts'
import { afterFields } from './after-position.ts'
import { sourcePositionSchema } from './source-position.ts'
import { shownVersionSchema } from './page.ts'
import { snapshotTokenSchema } from './snapshot-token.ts'

export const snapshotRequestSchema = Type.Object(
  {
    objectTypes: optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: limits.snapshotToken.objectTypes,
        description: 'The object types whose state is named; all of the ontology if left out.',
      }),
    ),
    at: optional(
      Type.String({
        description:
          'A time with its zone (RFC 3339), such as 2026-05-01T09:30:00Z: the state that stood then is named, not the latest.',
      }),
    ),
    version: optional(
      Type.String({
        pattern: longTextPattern,
        description: 'Of a single object type: the version that is named instead of the latest.',
      }),
    ),
    ...afterFields,
  },
  closed,
)
export type SnapshotRequest = Wire<typeof snapshotRequestSchema>

export const snapshotSchema = Type.Object({
  snapshotToken: snapshotTokenSchema,
  versions: Type.Record(Type.String(), shownVersionSchema, {
    description: 'The version of each object type in this state.',
  }),
  source: Type.Optional({
    ...sourcePositionSchema,
    description: 'Of a request with afterSource: the position at which the state is.',
  }),
  readableUntil: Type.String({
    pattern: timestampTextPattern,
    description: 'The state can be read until then at least.',
  }),
})
export type Snapshot = Wire<typeof snapshotSchema>
