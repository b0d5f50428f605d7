import { Type } from 'typebox'

import { closed, type Wire } from '../base/wire.ts'
import { pageSizeSchema } from './page-size.ts'
import { pageTokenSchema } from './page-token.ts'

/** The query string of every paginated GET that has no other parameters. */
export const pageParametersSchema = Type.Object(
  {
    pageSize: Type.Optional(pageSizeSchema),
    pageToken: Type.Optional(pageTokenSchema),
    snapshot: Type.Optional(
      Type.Literal(false, { description: 'This list has no snapshots: it is read in default mode.' }),
    ),
  },
  closed,
)
export type PageParameters = Wire<typeof pageParametersSchema>

export const pageParameterNames = Object.keys(pageParametersSchema.properties)
