// What is different between two states of an object type (P270).
import { Type } from 'typebox'

import { afterFields } from '../paging/after-position.ts'
import { limits } from '../base/limits.ts'
import { closed, optional, type Wire } from '../base/wire.ts'
import { pageSizeSchema } from '../paging/page-size.ts'
import { checksumSchema, shownVersionSchema, totalCountSchema } from '../paging/page.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { snapshotTokenSchema, type SnapshotToken } from '../paging/snapshot-token.ts'
import { querySchema } from '../query/query.ts'
import { foundObjectSchema } from './object-record.ts'

export const changesRequestSchema = Type.Object(
  {
    fromSnapshotToken: Type.Unsafe<SnapshotToken>({
      ...snapshotTokenSchema,
      description: 'Names the state that the caller has.',
    }),
    toSnapshotToken: optional(
      Type.Unsafe<SnapshotToken>({
        ...snapshotTokenSchema,
        description: 'Names the later state; the latest one if left out.',
      }),
    ),
    pageToken: optional(pageTokenSchema),
    pageSize: optional(pageSizeSchema),
    query: optional(querySchema),
    select: optional(Type.Array(Type.String())),
    ...afterFields,
    waitSeconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.changes.waitSeconds,
        description: 'How long to wait for a change if there is none yet, or until afterPosition is there.',
      }),
    ),
  },
  closed,
)
export type ChangesRequest = Wire<typeof changesRequestSchema>

export const putChangeSchema = Type.Object({
  type: Type.Literal('put'),
  primaryKey: foundObjectSchema.properties.primaryKey,
  object: foundObjectSchema,
})
export type PutChange = Wire<typeof putChangeSchema>

const deleteReasons = ['deleted', 'left'] as const
export type DeleteReason = (typeof deleteReasons)[number]

export const deleteChangeSchema = Type.Object({
  type: Type.Literal('delete'),
  primaryKey: foundObjectSchema.properties.primaryKey,
  reason: Type.Enum([...deleteReasons], {
    description: '`left` if the object is still there and no longer matches the query.',
  }),
})
export type DeleteChange = Wire<typeof deleteChangeSchema>

export const changeSchema = Type.Union([putChangeSchema, deleteChangeSchema])
export type Change = Wire<typeof changeSchema>

export const changesPageSchema = Type.Object({
  data: Type.Array(changeSchema),
  fromVersion: Type.String({
    ...shownVersionSchema,
    description: 'The version of the state that the caller has.',
  }),
  toVersion: Type.String({
    ...shownVersionSchema,
    description: 'The version that the changes lead to; the same on all pages.',
  }),
  nextPageToken: Type.Optional(pageTokenSchema),
  snapshotToken: Type.Optional(
    Type.Unsafe<SnapshotToken>({
      ...snapshotTokenSchema,
      description: 'On the last page, instead of nextPageToken: names the state of toVersion.',
    }),
  ),
  totalCount: Type.Optional(totalCountSchema),
  checksum: Type.Optional(checksumSchema),
})
export type ChangesPage = Wire<typeof changesPageSchema>
