import { Type } from 'typebox'

import { closed, type Wire } from '../base/wire.ts'
import { deleteVersionSchema, putVersionSchema, versionsPageSchema } from '../paging/object-version.ts'
import { pageParametersSchema } from '../paging/page-parameters.ts'
import { listParametersSchema } from './list-parameters.ts'
import { listedObjectSchema } from './object-record.ts'

/** The query string. */
export const versionsParametersSchema = Type.Object(
  { ...pageParametersSchema.properties, properties: listParametersSchema.properties.properties },
  closed,
)

export const listedVersionSchema = Type.Union([
  putVersionSchema(listedObjectSchema.properties),
  deleteVersionSchema,
])
export type ListedVersion = Wire<typeof listedVersionSchema>

export const listedVersionsPageSchema = versionsPageSchema(listedVersionSchema)
export type ListedVersionsPage = Wire<typeof listedVersionsPageSchema>
