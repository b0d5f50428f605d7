import { Type } from 'typebox'

import { pageSchema } from '../paging/page.ts'
import { ontologySchema } from '../revision-1/ontology.ts'
import type { Wire } from '../base/wire.ts'
import { grantRoles } from './grant-roles.ts'

/** An ontology as its maintainers see it: with the families that search it, and what the caller may do. */
export const managedOntologySchema = Type.Object({
  ...ontologySchema.properties,
  apiFamilies: Type.Array(Type.String()),
  role: Type.Enum([...grantRoles]),
})
export type ManagedOntology = Wire<typeof managedOntologySchema>

export const managedOntologiesPageSchema = pageSchema(managedOntologySchema)
