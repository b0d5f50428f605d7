import { Type } from 'typebox'

import { closed, optional, type Wire } from '../base/wire.ts'
import { deleteVersionSchema, putVersionSchema, versionsPageSchema } from '../paging/object-version.ts'
import { pageSizeSchema } from '../paging/page-size.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { foundObjectSchema } from './object-record.ts'

export const versionsRequestSchema = Type.Object(
  {
    primaryKey: foundObjectSchema.properties.primaryKey,
    pageToken: optional(pageTokenSchema),
    pageSize: optional(pageSizeSchema),
    select: optional(Type.Array(Type.String())),
  },
  closed,
)
export type VersionsRequest = Wire<typeof versionsRequestSchema>

export const foundVersionSchema = Type.Union([
  putVersionSchema(foundObjectSchema.properties),
  deleteVersionSchema,
])
export type FoundVersion = Wire<typeof foundVersionSchema>

export const foundVersionsPageSchema = versionsPageSchema(foundVersionSchema)
export type FoundVersionsPage = Wire<typeof foundVersionsPageSchema>
