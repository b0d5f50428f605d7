import { Type } from 'typebox'

import { closed, type Wire } from '../wire.ts'
import { pageSizeSchema } from './page-size.ts'
import { pageTokenSchema } from './page-token.ts'

/** The query string of every paginated GET that defines nothing more. */
export const pageParametersSchema = Type.Object(
  { pageSize: Type.Optional(pageSizeSchema), pageToken: Type.Optional(pageTokenSchema) },
  closed,
)
export type PageParameters = Wire<typeof pageParametersSchema>
