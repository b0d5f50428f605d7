import { Type } from 'typebox'

import { pageSchema } from '../paging/page.ts'
import { apiNameSchema } from '../values/api-name.ts'
import { ridSchema } from '../values/rid.ts'
import type { Wire } from '../base/wire.ts'

export const ontologySchema = Type.Object({
  apiName: apiNameSchema,
  displayName: Type.String(),
  description: Type.String(),
  rid: ridSchema,
})
export type Ontology = Wire<typeof ontologySchema>

export const ontologiesPageSchema = pageSchema(ontologySchema)
