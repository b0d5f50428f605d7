// What clients of the API family read about an ontology before they read its objects. Everything that this service does not have is
// there, and empty.
import { Type } from 'typebox'

import { pageSchema } from '../paging/page.ts'
import { ontologySchema } from '../revision-1/ontology.ts'
import { ridSchema } from '../values/rid.ts'
import type { Wire } from '../base/wire.ts'

const empty = Type.Object({}, { description: 'Empty.' })
const emptyList = Type.Array(Type.Unknown(), { description: 'Empty.' })

/** For example `{"type": "string"}`, or what an array or a struct consists of. */
const dataTypeSchema = Type.Cyclic(
  {
    DataType: Type.Object({
      type: Type.String(),
      subType: Type.Optional(Type.Ref('DataType')),
      reducers: Type.Optional(emptyList),
      structFieldTypes: Type.Optional(
        Type.Array(
          Type.Object({
            apiName: Type.String(),
            rid: Type.String(),
            dataType: Type.Ref('DataType'),
            typeClasses: emptyList,
          }),
        ),
      ),
    }),
  },
  'DataType',
)

export const objectTypeV2Schema = Type.Object({
  apiName: Type.String(),
  displayName: Type.String(),
  pluralDisplayName: Type.String(),
  description: Type.Optional(Type.String()),
  status: Type.String(),
  visibility: Type.String(),
  icon: Type.Object({ type: Type.Literal('blueprint'), color: Type.String(), name: Type.String() }),
  primaryKey: Type.String(),
  titleProperty: Type.String(),
  rid: ridSchema,
  aliases: emptyList,
  datasources: emptyList,
  properties: Type.Record(
    Type.String(),
    Type.Object({
      dataType: dataTypeSchema,
      rid: ridSchema,
      displayName: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      typeClasses: emptyList,
    }),
  ),
})
export type ObjectTypeV2 = Wire<typeof objectTypeV2Schema>

export const linkTypeSideV2Schema = Type.Object({
  apiName: Type.String(),
  displayName: Type.String(),
  status: Type.String(),
  objectTypeApiName: Type.String(),
  cardinality: Type.Enum(['ONE', 'MANY']),
  foreignKeyPropertyApiName: Type.Optional(Type.String()),
  linkTypeRid: ridSchema,
})
export type LinkTypeSideV2 = Wire<typeof linkTypeSideV2Schema>

export const objectTypeFullMetadataSchema = Type.Object({
  objectType: objectTypeV2Schema,
  linkTypes: Type.Array(linkTypeSideV2Schema),
  implementsInterfaces: emptyList,
  implementsInterfaces2: empty,
  sharedPropertyTypeMapping: empty,
})
export type ObjectTypeFullMetadata = Wire<typeof objectTypeFullMetadataSchema>

export const ontologiesV2Schema = Type.Object({ data: Type.Array(ontologySchema) })
export const objectTypesV2PageSchema = pageSchema(objectTypeV2Schema)
export const linkTypeSidesPageSchema = pageSchema(linkTypeSideV2Schema)

export const ontologyFullMetadataSchema = Type.Object({
  ontology: ontologySchema,
  objectTypes: Type.Record(Type.String(), objectTypeFullMetadataSchema),
  actionTypes: empty,
  queryTypes: empty,
  interfaceTypes: empty,
  sharedPropertyTypes: empty,
  valueTypes: empty,
})
export type OntologyFullMetadata = Wire<typeof ontologyFullMetadataSchema>

const names = Type.Array(Type.String())

export const wantedMetadataSchema = Type.Object({
  objectTypes: Type.Optional(names),
  linkTypes: Type.Optional(names),
  actionTypes: Type.Optional(names),
  queryTypes: Type.Optional(names),
  interfaceTypes: Type.Optional(names),
})
export type WantedMetadata = Wire<typeof wantedMetadataSchema>
