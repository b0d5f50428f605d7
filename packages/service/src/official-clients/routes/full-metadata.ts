// An object type as clients of the API family want to see it, with its links. What this service does not have is there, and empty.
import type {
  LinkTypeSideV2,
  ObjectTypeFullMetadata,
  ObjectTypeV2,
  PropertyType,
  Rid,
  ScalarType,
} from '@octavo/protocol'
import { linksOf } from '../../catalog/links.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { onceForEach, texts } from '../../catalog/object-type-views.ts'

export const fullMetadataOf = (type: ObjectType, types: readonly ObjectType[]): ObjectTypeFullMetadata => ({
  objectType: objectTypeV2(type),
  linkTypes: linkTypeSides(type, types),
  implementsInterfaces: [],
  implementsInterfaces2: {},
  sharedPropertyTypeMapping: {},
})

export const objectTypeV2 = onceForEach((type): ObjectTypeV2 => {
  const { definition } = type
  return {
    apiName: definition.apiName,
    displayName: definition.displayName,
    pluralDisplayName: definition.displayName,
    ...(definition.description !== undefined && { description: definition.description }),
    status: definition.status ?? 'ACTIVE',
    visibility: definition.visibility ?? 'NORMAL',
    icon: { type: 'blueprint', color: '#2D72D2', name: 'cube' },
    primaryKey: definition.primaryKey,
    titleProperty: definition.titleProperty,
    rid: type.rid as Rid,
    aliases: [],
    datasources: [],
    properties: Object.fromEntries(
      Object.entries(definition.properties).map(([name, property]) => [
        name,
        {
          dataType: dataTypeOf(property.type, ridOf(type, 'property', name)),
          rid: ridOf(type, 'property', name),
          ...texts(property),
          typeClasses: [],
        },
      ]),
    ),
  }
})

export const linkTypeSides = (type: ObjectType, types: readonly ObjectType[]): LinkTypeSideV2[] =>
  linksOf(type, types).map(({ apiName, from, to, reverse, cardinality, holder, property }) => ({
    apiName,
    displayName: apiName,
    status: 'ACTIVE',
    objectTypeApiName: to.apiName,
    cardinality,
    ...(holder === 'from' && { foreignKeyPropertyApiName: property }),
    // One link has one rid, whichever side it is seen from.
    linkTypeRid: holder === 'from' ? ridOf(from, 'link-type', apiName) : ridOf(to, 'link-type', reverse),
  }))

/** Parts of a type have rids that are made from its own. */
const ridOf = (type: ObjectType, kind: 'property' | 'link-type', name: string): Rid =>
  `${type.rid.replace('.object-type.', `.${kind}.`)}.${name}` as Rid

type DataType = ObjectTypeV2['properties'][string]['dataType']

function dataTypeOf(type: PropertyType | ScalarType, rid: string): DataType {
  if (typeof type === 'string') return { type }
  if ('array' in type) return { type: 'array', subType: dataTypeOf(type.array, rid), reducers: [] }
  return {
    type: 'struct',
    structFieldTypes: Object.entries(type.struct).map(([name, component]) => ({
      apiName: name,
      rid: `${rid}.${name}`,
      dataType: { type: component.type },
      typeClasses: [],
    })),
  }
}
