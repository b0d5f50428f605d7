// Generates the object types of an ontology for `@osdk/client`, as text: for each a value to pass to the client, and a type of the
// same name that tells the compiler its properties and links.
import type { ObjectTypeFullMetadata, OntologyFullMetadata } from '@octavo/protocol'
import { commentOf, propertyKey, stringLiteral, unionOf } from './typescript-text.ts'

export function writeOsdkTypesFile({ ontology, objectTypes }: OntologyFullMetadata): string {
  const types = Object.values(objectTypes).toSorted((a, b) =>
    a.objectType.apiName < b.objectType.apiName ? -1 : 1,
  )
  const names = exportedNames(types.map(({ objectType }) => objectType.apiName))
  return [
    '// Written by `octavo types --osdk` from the catalog of a service. Run it again when a definition has changed.',
    'import type {',
    '  ObjectMetadata as $ObjectMetadata,',
    '  ObjectSet as $ObjectSet,',
    '  ObjectTypeDefinition as $ObjectTypeDefinition,',
    '  Osdk as $Osdk,',
    '  PropertyDef as $PropertyDef,',
    '  PropertyValueWireToClient as $PropType,',
    '  SingleLinkAccessor as $SingleLinkAccessor,',
    "} from '@osdk/client'",
    '',
    '/** The ontology, for `createClient(url, $ontologyRid, token)`. */',
    `export const $ontologyRid = ${stringLiteral(ontology.rid)}`,
    ...types.flatMap((type) => [
      ...namespaceLines(type, names),
      ...definitionLines(type, names),
      ...valueLines(type, names),
    ]),
    '',
  ].join('\n')
}

type Names = ReadonlyMap<string, string>

/** Names that no export can have, or that the file needs for itself. */
const reserved =
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield any bigint boolean never number object string symbol undefined unknown'

/** API names as they are, except for what no identifier may contain. They differ from each other. */
function exportedNames(apiNames: readonly string[]): Names {
  const taken = new Set(reserved.split(' '))
  return new Map(
    apiNames.map((apiName) => {
      const [first = '', ...rest] = apiName.split(/[^A-Za-z0-9_]+/).filter((word) => word !== '')
      const name = [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
      let chosen = name
      for (let count = 2; taken.has(chosen); count += 1) chosen = `${name}${count}`
      taken.add(chosen)
      return [apiName, chosen]
    }),
  )
}

const nameOf = (names: Names, apiName: string): string => names.get(apiName) ?? apiName

/** What a program says of objects of the type: `flight.OsdkInstance`, `flight.ObjectSet`. */
function namespaceLines({ objectType, linkTypes }: ObjectTypeFullMetadata, names: Names): readonly string[] {
  const name = nameOf(names, objectType.apiName)
  const properties = Object.entries(objectType.properties)
  return [
    '',
    `export namespace ${name} {`,
    `  export type PropertyKeys = ${unionOf(properties.map(([key]) => stringLiteral(key)))}`,
    '',
    ...inBraces(
      '  export interface Links',
      linkTypes.map(({ apiName, objectTypeApiName, cardinality }) => {
        const to = nameOf(names, objectTypeApiName)
        return `    readonly ${propertyKey(apiName)}: ${cardinality === 'ONE' ? `$SingleLinkAccessor<${to}>` : `${to}.ObjectSet`}`
      }),
    ),
    '',
    ...inBraces(
      '  export interface Props',
      properties.flatMap(([key, { dataType, displayName, description }]) => [
        ...[description ?? displayName].flatMap((text) =>
          text === undefined ? [] : [`    /** ${commentOf(text)} */`],
        ),
        `    readonly ${propertyKey(key)}: ${valueType(dataType)}${key === objectType.primaryKey ? '' : ' | undefined'}`,
      ]),
    ),
    '  export type StrictProps = Props',
    '',
    `  export interface ObjectSet extends $ObjectSet<${name}, ${name}.ObjectSet> {}`,
    '',
    '  export type OsdkInstance<',
    "    OPTIONS extends never | '$rid' = never,",
    `    K extends keyof ${name}.Props = keyof ${name}.Props,`,
    `  > = $Osdk.Instance<${name}, OPTIONS, K>`,
    '}',
  ]
}

/** The type by which the client finds all that. */
function definitionLines({ objectType, linkTypes }: ObjectTypeFullMetadata, names: Names): readonly string[] {
  const { apiName, primaryKey, icon } = objectType
  const name = nameOf(names, apiName)
  const keyType = keyTypeOf(objectType)
  return [
    '',
    `/** ${commentOf(objectType.description ?? objectType.displayName)} */`,
    `export interface ${name} extends $ObjectTypeDefinition {`,
    "  type: 'object'",
    `  apiName: ${stringLiteral(apiName)}`,
    `  primaryKeyApiName: ${stringLiteral(primaryKey)}`,
    `  primaryKeyType: ${keyType}`,
    '  __DefinitionMetadata?: {',
    `    objectSet: ${name}.ObjectSet`,
    `    props: ${name}.Props`,
    `    linksType: ${name}.Links`,
    `    strictProps: ${name}.StrictProps`,
    `    apiName: ${stringLiteral(apiName)}`,
    `    description: ${literal(objectType.description)}`,
    `    displayName: ${literal(objectType.displayName)}`,
    `    icon: { type: 'blueprint'; name: ${literal(icon.name)}; color: ${literal(icon.color)} }`,
    '    implements: undefined',
    '    interfaceMap: {}',
    '    inverseInterfaceMap: {}',
    ...inBraces(
      '    links:',
      linkTypes.map(
        ({ apiName: link, objectTypeApiName, cardinality }) =>
          `      ${propertyKey(link)}: $ObjectMetadata.Link<${nameOf(names, objectTypeApiName)}, ${String(cardinality === 'MANY')}>`,
      ),
    ),
    `    pluralDisplayName: ${literal(objectType.pluralDisplayName)}`,
    `    primaryKeyApiName: ${stringLiteral(primaryKey)}`,
    `    primaryKeyType: ${keyType}`,
    ...inBraces(
      '    properties:',
      Object.entries(objectType.properties).map(
        ([key, { dataType }]) =>
          `      ${propertyKey(key)}: $PropertyDef<${wireType(itemOf(dataType))}, ${stringLiteral(key === primaryKey ? 'non-nullable' : 'nullable')}, ${stringLiteral(dataType.type === 'array' ? 'array' : 'single')}>`,
      ),
    ),
    `    rid: ${stringLiteral(objectType.rid)}`,
    `    status: ${literal(objectType.status)}`,
    `    titleProperty: ${stringLiteral(objectType.titleProperty)}`,
    "    type: 'object'",
    `    visibility: ${literal(objectType.visibility)}`,
    '  }',
    '}',
  ]
}

function valueLines({ objectType }: ObjectTypeFullMetadata, names: Names): readonly string[] {
  const name = nameOf(names, objectType.apiName)
  return [
    '',
    `export const ${name}: ${name} = {`,
    "  type: 'object',",
    `  apiName: ${stringLiteral(objectType.apiName)},`,
    `  primaryKeyApiName: ${stringLiteral(objectType.primaryKey)},`,
    `  primaryKeyType: ${keyTypeOf(objectType)},`,
    '}',
  ]
}

const keyTypeOf = ({ properties, primaryKey }: ObjectTypeFullMetadata['objectType']): string => {
  const key = properties[primaryKey]
  return key === undefined ? 'never' : wireType(key.dataType)
}

const inBraces = (start: string, lines: readonly string[]): readonly string[] => {
  const indent = /^ */.exec(start)?.[0] ?? ''
  return lines.length === 0 ? [`${start} {}`] : [`${start} {`, ...lines, `${indent}}`]
}

type DataType = ObjectTypeFullMetadata['objectType']['properties'][string]['dataType']

const itemOf = (dataType: DataType): DataType => dataType.subType ?? dataType

/** The client calls a date `datetime`; all other names are those of the service. */
const scalarName = ({ type }: DataType): string => stringLiteral(type === 'date' ? 'datetime' : type)

function wireType(dataType: DataType): string {
  if (dataType.structFieldTypes === undefined) return scalarName(dataType)
  const fields = dataType.structFieldTypes.map(
    ({ apiName, dataType: field }) => `${propertyKey(apiName)}: ${scalarName(field)}`,
  )
  return `{ ${fields.join('; ')} }`
}

function valueType(dataType: DataType): string {
  if (dataType.subType !== undefined) return `${valueType(dataType.subType)}[]`
  if (dataType.structFieldTypes === undefined) return `$PropType[${scalarName(dataType)}]`
  const fields = dataType.structFieldTypes.map(
    ({ apiName, dataType: field }) => `${propertyKey(apiName)}: $PropType[${scalarName(field)}] | undefined`,
  )
  return `{ ${fields.join('; ')} }`
}

/** A definition may contain any text. */
const literal = (text: string | undefined): string =>
  text === undefined ? 'undefined' : JSON.stringify(text)
