// Reads a type through revision 1.0: scalars only, and at most 10,000 objects.
import type { Client, FilterOperator } from '@octavo/client'
import type { ListedObjectType, ManagedOntology, PropertyType } from '@octavo/protocol'
import { scalarTypes, baseTypeName } from '@octavo/protocol/vocabulary'
import { CliError } from '../base/cli-error.ts'
import type { Connection } from '../connection/connection.ts'
import { requestPath } from '../connection/request-path.ts'
import { orNameTypes } from './or-name-types.ts'
import type { Condition } from './read-condition.ts'
import type { ObjectSource } from './object-source.ts'

const filterOperators: readonly FilterOperator[] = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'isNull',
  'contains',
]

interface ListedType {
  readonly connection: Connection
  readonly client: Client
  readonly ontology: ManagedOntology
  readonly type: string
  readonly others: readonly string[]
  readonly signal: AbortSignal
}

export async function listSource(listed: ListedType): Promise<Omit<ObjectSource, 'connection' | 'ontology'>> {
  const { connection, client, ontology, type, signal } = listed
  const objects = client.ontology(ontology.rid).objects(type)
  const path = requestPath`/api/v1/ontologies/${ontology.rid}/objectTypes`
  const { apiName, primaryKey, properties } = await orNameTypes(
    connection.json<ListedObjectType>({ path: `${path}/${encodeURIComponent(type)}` }),
    { connection, path, type, others: listed.others },
  )
  const types = Object.entries(properties).flatMap(([name, { baseType }]) => {
    const scalar = scalarTypes.find((known) => baseTypeName(known) === baseType)
    return scalar === undefined ? [] : [[name, scalar satisfies PropertyType] as const]
  })
  return {
    facts: { apiName, primaryKey: primaryKey[0] ?? '', properties: new Map(types) },
    walk: ({ conditions, query, ...wish }) => {
      if (query !== undefined) throw needsFamily(ontology)
      return objects.all({ ...wish, signal, filters: filtersOf(conditions, ontology) })
    },
    get: (key) => objects.get(key, { signal }),
    aggregate: (asked) =>
      connection.json({
        method: 'POST',
        path: requestPath`/api/v1/ontologies/${ontology.rid}/objects/${type}/aggregate`,
        json: asked,
      }),
  }
}

function filtersOf(conditions: readonly Condition[], ontology: ManagedOntology) {
  const filters: Record<string, Record<string, Condition['values']>> = {}
  for (const { field, operator, values } of conditions) {
    const known = filterOperators.find((each) => each === operator)
    if (known === undefined || field.includes(':')) throw needsFamily(ontology)
    const of = (filters[field] ??= {})
    if (of[known] !== undefined && (known === 'eq' || known === 'contains')) {
      // Two of these filters would mean either, not both.
      throw needsFamily(ontology)
    }
    of[known] = [...(of[known] ?? []), ...values]
  }
  return filters
}

const needsFamily = ({ apiName }: ManagedOntology): CliError =>
  new CliError(
    `This query needs an API family, and ${apiName} has none: add apiFamilies to its definition and run octavo apply.`,
  )
