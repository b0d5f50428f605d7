import { Type } from 'typebox'

import { closed, type Wire } from '../base/wire.ts'
import { pageSizeSchema } from './page-size.ts'
import { pageTokenSchema } from './page-token.ts'

/** The query string of every paginated GET under `/manage/v1` that has no other parameters. */
export const pageParametersSchema = Type.Object(
  {
    pageSize: Type.Optional(pageSizeSchema),
    pageToken: Type.Optional(pageTokenSchema),
  },
  closed,
)
export type PageParameters = Wire<typeof pageParametersSchema>

/** That of the API family's lists that hold no objects: clients send `snapshot` to every list. */
export const unversionedListParametersSchema = Type.Object(
  {
    ...pageParametersSchema.properties,
    snapshot: Type.Optional(
      Type.Literal(false, { description: 'This list has no snapshots: it is read in default mode.' }),
    ),
  },
  closed,
)
