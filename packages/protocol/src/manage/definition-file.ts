import { Type } from 'typebox'

import { closed, type Wire } from '../base/wire.ts'
import { objectTypeDefinitionSchema } from './object-type-definition.ts'
import { ontologyDefinitionSchema } from './ontology-definition.ts'

/** What `octavo apply` reads: one ontology and some of its object types. Types that are not in the file stay unchanged. */
export const definitionFileSchema = Type.Object(
  {
    $schema: Type.Optional(
      Type.String({ description: 'The location of the schema of this file, for editors.' }),
    ),
    ontology: ontologyDefinitionSchema,
    objectTypes: Type.Optional(Type.Array(objectTypeDefinitionSchema, { maxItems: 1000 })),
  },
  closed,
)
export type DefinitionFile = Wire<typeof definitionFileSchema>
