// Reads a type through revision 2.0, which has every property and no limit.
import { createClient } from '@octavo/client'
import type { Query, SearchableObjectType } from '@octavo/protocol'
import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { globalFlags } from '../connection/connect.ts'
import { openConnection, type Connection } from '../connection/connection.ts'
import { findOntology } from '../connection/find-ontology.ts'
import { requestPath } from '../connection/request-path.ts'
import { readSettings } from '../settings/read-settings.ts'
import { familyOf } from './family-of.ts'
import { orNameTypes } from './or-name-types.ts'
import type { ObjectSource } from './object-source.ts'
import { queryOf } from './read-condition.ts'
import type { TypeFacts } from './type-facts.ts'

export async function openObjectSource(
  command: Command,
  context: CommandContext,
  type: string,
): Promise<ObjectSource> {
  const settings = readSettings(globalFlags(command), context)
  const connection = openConnection(settings, context)
  const ontology = await findOntology(connection, settings.ontology)
  const client = createClient({ url: settings.url, token: settings.token, fetch: context.fetch })
  const signal = context.stopAsked
  const family = familyOf(ontology)
  const objects = client.family(family).objects(type)
  return {
    connection,
    ontology,
    facts: await searchFacts(connection, family, type, command.args),
    walk: ({ conditions, query, ...wish }) =>
      objects.search(bothOf(query, queryOf(conditions)), { ...wish, signal }),
    get: (key) => objects.get(key, { signal }),
    aggregate: (asked) =>
      connection.json({
        method: 'POST',
        path: requestPath`/api/${family}/v1/objects/types/${type}/aggregate`,
        json: asked,
      }),
  }
}

/** A command can have both a query and conditions. */
const bothOf = (query: Query | undefined, conditions: Query): Query =>
  query === undefined || conditions.type === 'empty'
    ? (query ?? conditions)
    : { type: 'and', value: [query, conditions] }

export async function searchFacts(
  connection: Connection,
  family: string,
  type: string,
  others: readonly string[] = [],
): Promise<TypeFacts> {
  const path = requestPath`/api/${family}/v1/objects/types`
  const { apiName, primaryKey, titleProperty, properties, links } = await orNameTypes(
    connection.json<SearchableObjectType>({ path: `${path}/${encodeURIComponent(type)}` }),
    { connection, path, type, others },
  )
  const types = Object.entries(properties).map(([name, { type }]) => [name, type] as const)
  return { apiName, primaryKey, titleProperty, properties: new Map(types), links }
}
