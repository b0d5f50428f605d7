import { Type } from 'typebox'

import { pageSchema } from '../paging/page.ts'
import { closed, type Wire } from '../base/wire.ts'
import { grantRoles } from './grant-roles.ts'

const role = Type.Enum([...grantRoles])

export const grantRequestSchema = Type.Object({ role }, closed)
export type GrantRequest = Wire<typeof grantRequestSchema>

export const grantRecordSchema = Type.Object({
  principal: Type.Object({
    type: Type.Enum(['subject', 'group']),
    name: Type.String({ minLength: 1, maxLength: 255 }),
  }),
  role,
})
export type GrantRecord = Wire<typeof grantRecordSchema>

export const grantsPageSchema = pageSchema(grantRecordSchema)
