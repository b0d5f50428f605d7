import { Type } from 'typebox'

import { apiFamilySchema, apiNameSchema } from '../values/api-name.ts'
import { descriptionSchema, displayNameSchema } from '../values/object-type-texts.ts'
import { closed, type Wire } from '../base/wire.ts'

/** What an operator applies to create an ontology, or to change its texts and API families. */
export const ontologyDefinitionSchema = Type.Object(
  {
    apiName: apiNameSchema,
    displayName: displayNameSchema,
    description: Type.Optional(descriptionSchema),
    apiFamilies: Type.Optional(Type.Array(apiFamilySchema, { maxItems: 16, uniqueItems: true })),
  },
  closed,
)
export type OntologyDefinition = Wire<typeof ontologyDefinitionSchema>
