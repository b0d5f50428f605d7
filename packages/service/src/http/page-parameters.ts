import { limits, listParametersSchema, pageParametersSchema } from '@octavo/protocol'
import { Type } from 'typebox'

const ontologyRid = Type.String({ description: 'The rid of the ontology.' })
const objectType = Type.String({ description: 'The API name of the object type.' })
const primaryKey = Type.String({ description: 'The primary key as text, whatever its type.' })
const apiFamily = Type.String({ description: 'The API family, which stands for one ontology.' })

export const ontologyPath = Type.Object({ ontologyRid })
export const objectTypePath = Type.Object({ ontologyRid, objectType })
export const objectPath = Type.Object({ ontologyRid, objectType, primaryKey })
export const familyPath = Type.Object({ apiFamily })
export const familyTypePath = Type.Object({ apiFamily, objectType })

export const pageParameters = pageParametersSchema
export const listParameters = listParametersSchema
const { properties, snapshotToken } = listParametersSchema.properties
export const objectParameters = Type.Object({ properties, snapshotToken })
export const countParameters = Type.Object({ snapshotToken })

export const exampleOntologyRid = 'ri.ontology.main.ontology.5c0b8d1e-7a53-4c0f-9f0e-3f1f0f3f8f11'

export const ontologyNamePath = Type.Object({
  apiName: Type.String({ description: 'The API name of the ontology.' }),
})
export const accessTokenPath = Type.Object({
  accessTokenId: Type.String({ description: 'The id of the access token, not the token itself.' }),
})
export const grantPath = Type.Object({
  ontologyRid,
  grantId: Type.String({
    description: '`subject:` or `group:` and the name, as the list of grants shows it.',
  }),
})
const dryRun = {
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Check everything and report what would change, but change nothing.' }),
  ),
}
export const dryRunParameters = Type.Object(dryRun)
const mostDeleted = {
  mostDeleted: Type.Optional(
    Type.String({
      pattern: String.raw`^\d+%?$`,
      description: `The most objects that may be deleted, as a number or a percentage of the objects of the type. By default ${limits.replace.deletedPercent}%, and always ${limits.replace.deletedObjects}.`,
    }),
  ),
}
export const replaceParameters = Type.Object({ ...dryRun, ...mostDeleted })

export const loadPath = Type.Object({
  ontologyRid,
  objectType,
  loadId: Type.String({ description: 'The id that the load got when it was begun.' }),
})
export const loadParameters = Type.Object({
  replace: Type.Optional(
    Type.Boolean({ description: 'Whether the objects of the load become the whole contents of the type.' }),
  ),
})
export const partParameters = Type.Object({
  part: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The number of the part. The same number with the same contents is stored once.',
  }),
})
export const finishParameters = Type.Object(mostDeleted)
