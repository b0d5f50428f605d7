import type { Reader } from '../postgres/database.ts'
import type { Ontology } from './ontology.ts'
import { newestLayout } from './ontology-tables.ts'

export interface Registry {
  /** A number and its tag: different after every change. */
  readonly version: string
  readonly ontologies: readonly Ontology[]
  /** Whether any ontology has the tables of an older layout. */
  readonly needsUpgrade: boolean
}

const version = `concat(v.version, ' ', v.tag) as version`

export async function readRegistryVersion(reader: Reader): Promise<string> {
  const rows = await reader.rows({ text: `select ${version} from octavo.registry_version v`, values: [] })
  return rows[0]?.['version'] ?? ''
}

/**
 * Reads the whole registry: a row for each ontology, ten thousand at most, read when its version has changed. The same statement
 * reads the version, so that nothing is cached under a version that it does not belong to.
 */
export async function readRegistry(reader: Reader): Promise<Registry> {
  const rows = await reader.rows({
    text: `select ${version}, o.rid, o.api_name, o.display_name, o.description, o.schema_name, o.layout,
  (select json_agg(f.name order by f.name) from octavo.api_families f where f.ontology_rid = o.rid) as families
from octavo.registry_version v left join octavo.ontologies o on true order by o.rid`,
    values: [],
  })
  const found = rows.filter((row) => row['rid'] != null)
  const newest = newestLayout()
  return {
    version: rows[0]?.['version'] ?? '',
    needsUpgrade: found.some((row) => Number(row['layout']) < newest),
    ontologies: found.map((row) => ({
      rid: row['rid'] ?? '',
      apiName: row['api_name'] ?? '',
      displayName: row['display_name'] ?? '',
      description: row['description'] ?? '',
      schema: row['schema_name'] ?? '',
      apiFamilies: row['families'] == null ? [] : (JSON.parse(row['families']) as string[]),
    })),
  }
}
