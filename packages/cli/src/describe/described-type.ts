// An object type as far as the caller may see it. A writer reads the definition; a reader what the reading APIs show of it.
import type {
  LinkType,
  ManagedOntology,
  ObjectTypeDefinition,
  PropertyType,
  SearchableObjectType,
} from '@octavo/protocol'
import type { ConnectedOntology } from '../connection/connect.ts'
import type { Connection } from '../connection/connection.ts'
import { findObjectType, statisticsOf } from '../connection/object-types.ts'
import { requestPath } from '../connection/request-path.ts'
import { familyOf } from '../reading/family-of.ts'
import { orNameTypes } from '../reading/or-name-types.ts'

export interface DescribedProperty {
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
  readonly properties: Readonly<Record<string, DescribedProperty>>
  /** In both directions. */
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

/** The key is always required, searchable and sortable, whatever its definition says. */
const described = (
  properties: Readonly<Record<string, DescribedProperty>>,
  primaryKey: string,
  unsaid: Partial<DescribedProperty> = {},
): DescribedType['properties'] =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      {
        ...unsaid,
        ...property,
        ...(name === primaryKey && { required: true, searchable: true, sortable: true }),
      },
    ]),
  )

async function forWriter(
  connection: Connection,
  ontology: ManagedOntology,
  type: string,
): Promise<DescribedType> {
  const { definition, preparing } = await findObjectType(connection, ontology, type)
  const path = requestPath`/api/${familyOf(ontology)}/v1/objects/types/${type}`
  const { links } = await connection.json<SearchableObjectType>({ path })
  const { objectCount, version } = await statisticsOf(connection, ontology, type)
  const { properties, orders = [], policy: _, links: _declared, ...texts } = definition
  return {
    ...texts,
    ontology: ontology.apiName,
    properties: described(properties, texts.primaryKey, {
      required: false,
      searchable: false,
      sortable: false,
    }),
    links,
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
  const path = requestPath`/api/${familyOf(ontology)}/v1/objects/types`
  const asked = connection.json<SearchableObjectType>({ path: `${path}/${encodeURIComponent(type)}` })
  const { properties, ...texts } = await orNameTypes(asked, { connection, path, type })
  return {
    ...texts,
    ontology: ontology.apiName,
    properties: described(properties, texts.primaryKey),
    objectCount: await visibleObjects(connection, ontology, type),
    preparing: [],
  }
}

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
