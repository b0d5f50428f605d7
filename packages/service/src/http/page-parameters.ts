import {
  limits,
  listParametersSchema,
  pageParametersSchema,
  unversionedListParametersSchema,
} from '@octavo/protocol'
import { Type } from 'typebox'

const ontology = Type.String({ description: 'The rid of the ontology, or its API name.' })
const objectType = Type.String({ description: 'The API name of the object type.' })
const primaryKey = Type.String({ description: 'The primary key as text, whatever its type.' })
const link = Type.String({ description: 'The API name of the link, as the object type names it.' })
const apiFamily = Type.String({ description: 'The API family, which stands for one ontology.' })

export const ontologyPath = Type.Object({ ontology })
export const objectTypePath = Type.Object({ ontology, objectType })
export const objectPath = Type.Object({ ontology, objectType, primaryKey })
export const objectLinkPath = Type.Object({ ontology, objectType, primaryKey, link })
export const familyLinkPath = Type.Object({ apiFamily, objectType, link })
export const familyObjectPath = Type.Object({ apiFamily, objectType, primaryKey })
export const familyObjectLinkPath = Type.Object({ apiFamily, objectType, primaryKey, link })
export const familyPath = Type.Object({ apiFamily })
export const familyTypePath = Type.Object({ apiFamily, objectType })
export const linkTypeV2Path = Type.Object({ ontology, objectType, link })

export const pageParameters = pageParametersSchema
export const unversionedListParameters = unversionedListParametersSchema
export const listParameters = listParametersSchema
const { properties, snapshotToken } = listParametersSchema.properties
export const objectParameters = Type.Object({ properties, snapshotToken })
export const objectV2Parameters = Type.Object({
  select: Type.Optional(Type.Array(Type.String(), { description: 'Property names; all if left out.' })),
  excludeRid: Type.Optional(Type.Boolean()),
})
export const listV2Parameters = Type.Object({
  ...pageParametersSchema.properties,
  snapshot: Type.Optional(Type.Boolean()),
  orderBy: listParametersSchema.properties.orderBy,
  ...objectV2Parameters.properties,
})

export const exampleOntologyRid = 'ri.ontology.main.ontology.5c0b8d1e-7a53-4c0f-9f0e-3f1f0f3f8f11'

export const accessTokenPath = Type.Object({
  accessTokenId: Type.String({ description: 'The id of the access token, not the token itself.' }),
})
export const grantPath = Type.Object({
  ontology,
  name: Type.String({ description: 'The name of the subject or the group, as its tokens name it.' }),
})
const dryRun = {
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Check everything and report what would change, but change nothing.' }),
  ),
}
export const dryRunParameters = Type.Object(dryRun)
export const replaceParameters = Type.Object({
  ...dryRun,
  maxDeletions: Type.Optional(
    Type.String({
      pattern: String.raw`^\d+%?$`,
      description: `The most objects that may be deleted, as a number or a percentage of the objects of the type. By default ${limits.replace.deletedPercent}%, and always ${limits.replace.deletedObjects}.`,
    }),
  ),
})

const loadId = Type.String({ description: 'The id that the load got when it was begun.' })
export const loadPath = Type.Object({ ontology, loadId })
export const loadPartPath = Type.Object({
  ontology,
  loadId,
  objectType,
  part: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The number of the part. The same number with the same contents is stored once.',
  }),
})
