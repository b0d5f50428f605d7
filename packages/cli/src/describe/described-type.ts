// An object type as far as the caller may see it. A writer reads the definition; a reader what the reading APIs show of it.
import type {
  LinkType,
  ListedObjectType,
  ManagedOntology,
  ObjectTypeDefinition,
  PropertyType,
  SearchableObjectType,
} from '@octavo/protocol'
import { baseTypeName, scalarTypes } from '@octavo/protocol/vocabulary'
import type { ConnectedOntology } from '../connection/connect.ts'
import type { Connection } from '../connection/connection.ts'
import { findObjectType, statisticsOf } from '../connection/object-types.ts'
import { requestPath } from '../connection/request-path.ts'
import { orNameTypes } from '../reading/or-name-types.ts'

export interface DescribedProperty {
  readonly name: string
  readonly type: PropertyType
  /** Undefined if the caller cannot see it. */
  readonly required?: boolean
  readonly searchable?: boolean
  readonly sortable?: boolean
  readonly description?: string
}

export interface DescribedType {
  readonly apiName: string
  readonly ontology: string
  readonly displayName?: string
  readonly description?: string
  readonly primaryKey: string
  readonly titleProperty?: string
  readonly properties: readonly DescribedProperty[]
  /** In both directions; without an API family, only those that the type declares itself, and for writers only. */
  readonly links: Readonly<Record<string, LinkType>>
  readonly orders: NonNullable<ObjectTypeDefinition['orders']>
  /** How many objects the caller can see. */
  readonly objectCount: number
  readonly version?: string
  readonly preparing: readonly string[]
  /** For writers only. */
  readonly definition?: ObjectTypeDefinition
}

export const describedType = (
  { connection, ontology }: ConnectedOntology,
  type: string,
): Promise<DescribedType> =>
  ontology.role === 'reader' ? forReader(connection, ontology, type) : forWriter(connection, ontology, type)

async function forWriter(
  connection: Connection,
  ontology: ManagedOntology,
  type: string,
): Promise<DescribedType> {
  const { definition, preparing } = await findObjectType(connection, ontology, type)
  const { objectCount, version } = await statisticsOf(connection, ontology, type)
  const { properties, orders = [], policy: _, links: declared, ...texts } = definition
  return {
    ...texts,
    ontology: ontology.apiName,
    properties: Object.entries(properties).map(([name, property]) => ({
      name,
      required: false,
      searchable: false,
      sortable: false,
      ...property,
    })),
    links: (await linksShown(connection, ontology, type)) ?? linksDeclared(properties, declared),
    orders,
    objectCount,
    version,
    preparing,
    definition,
  }
}

async function forReader(
  connection: Connection,
  ontology: ManagedOntology,
  type: string,
): Promise<DescribedType> {
  const [family] = ontology.apiFamilies
  const shared = { ontology: ontology.apiName, preparing: [] }
  if (family !== undefined) {
    const path = requestPath`/api/${family}/v1/objects/types`
    const asked = connection.json<SearchableObjectType>({ path: `${path}/${encodeURIComponent(type)}` })
    const { properties, links, ...texts } = await orNameTypes(asked, { connection, path, type })
    const described = Object.entries(properties).map(([name, property]) => ({ name, ...property }))
    return {
      ...texts,
      ...shared,
      properties: described,
      links,
      objectCount: await visibleObjects(connection, ontology, type),
    }
  }
  const path = requestPath`/api/v1/ontologies/${ontology.rid}/objectTypes`
  const asked = connection.json<ListedObjectType>({ path: `${path}/${encodeURIComponent(type)}` })
  const { apiName, primaryKey, properties } = await orNameTypes(asked, { connection, path, type })
  return {
    ...shared,
    apiName,
    primaryKey: primaryKey[0] ?? '',
    // This revision names lists and structs in a form of its own, and shows none of their values.
    properties: Object.entries(properties).flatMap(([name, { baseType }]) => {
      const scalar = scalarTypes.find((known) => baseTypeName(known) === baseType)
      return scalar === undefined ? [] : [{ name, type: scalar }]
    }),
    links: {},
    orders: [],
    objectCount: await visibleObjects(connection, ontology, type),
  }
}

/** Undefined without an API family, through which alone they are shown. */
async function linksShown(
  connection: Connection,
  { apiFamilies: [family] }: ManagedOntology,
  type: string,
): Promise<SearchableObjectType['links'] | undefined> {
  if (family === undefined) return undefined
  const path = requestPath`/api/${family}/v1/objects/types/${type}`
  return (await connection.json<SearchableObjectType>({ path })).links
}

const linksDeclared = (
  properties: ObjectTypeDefinition['properties'],
  links: ObjectTypeDefinition['links'] = {},
): DescribedType['links'] =>
  Object.fromEntries(
    Object.entries(links).map(([name, link]) => {
      const type = properties[link.foreignKeyProperty]?.type
      const isMany = typeof type === 'object' && 'array' in type
      return [name, { ...link, cardinality: isMany ? 'MANY' : 'ONE' }]
    }),
  )

async function visibleObjects(
  connection: Connection,
  { rid }: ManagedOntology,
  type: string,
): Promise<number> {
  const { totalCount } = await connection.json<{ readonly totalCount: string }>({
    path: requestPath`/api/v1/ontologies/${rid}/objects/${type}`,
    query: { pageSize: '1' },
  })
  return Number(totalCount)
}
