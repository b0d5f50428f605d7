import { listParametersSchema, pageParametersSchema } from '@octavo/protocol'
import { Type } from 'typebox'

const ontologyRid = Type.String({ description: 'The rid of the ontology.' })
const objectType = Type.String({ description: 'The API name of the object type.' })
const apiFamily = Type.String({ description: 'The API family, which stands for one ontology.' })

export const ontologyPath = Type.Object({ ontologyRid })
export const objectTypePath = Type.Object({ ontologyRid, objectType })
export const objectPath = Type.Object({ ontologyRid, objectType, primaryKey: Type.String() })
export const familyPath = Type.Object({ apiFamily })
export const familyTypePath = Type.Object({ apiFamily, objectType })

export const pageParameters = pageParametersSchema
export const listParameters = listParametersSchema
export const objectParameters = Type.Object({ properties: listParametersSchema.properties.properties })
