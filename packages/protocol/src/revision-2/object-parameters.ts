// The query strings of an object and of what it is linked to.
import { Type } from 'typebox'

import { closed, type Wire } from '../base/wire.ts'
import { afterParameters } from '../paging/after-position.ts'
import { checksumSchema } from '../paging/page.ts'
import { pageParametersSchema } from '../paging/page-parameters.ts'
import { listParametersSchema } from '../revision-1/list-parameters.ts'
import { foundObjectSchema } from './object-record.ts'

const { snapshot, snapshotToken } = listParametersSchema.properties

export const objectParametersSchema = Type.Object(
  {
    select: listParametersSchema.properties.properties,
    snapshotToken,
    ...afterParameters,
  },
  closed,
)

export const linkedObjectsParametersSchema = Type.Object(
  { ...pageParametersSchema.properties, ...objectParametersSchema.properties, snapshot },
  closed,
)

/** One object by its key (P430). */
export const readObjectSchema = Type.Object({
  ...foundObjectSchema.properties,
  checksum: Type.Optional(
    Type.String({ ...checksumSchema, description: 'The hash of the object (P250); absent with `select`.' }),
  ),
})
export type ReadObject = Wire<typeof readObjectSchema>
