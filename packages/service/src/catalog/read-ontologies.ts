import type { Reader } from '../postgres/database.ts'
import type { Ontology } from './ontology.ts'

/** The whole registry: a row for each ontology, ten thousand at most, read when the registry's version has changed. */
export async function readOntologies(reader: Reader): Promise<readonly Ontology[]> {
  const rows = await reader.rows({
    text: `select o.rid, o.api_name, o.display_name, o.description, o.schema_name,
  (select json_agg(f.name order by f.name) from octavo.api_families f where f.ontology_rid = o.rid) as families
from octavo.ontologies o order by o.rid`,
    values: [],
  })
  return rows.map((row) => ({
    rid: row['rid'] ?? '',
    apiName: row['api_name'] ?? '',
    displayName: row['display_name'] ?? '',
    description: row['description'] ?? '',
    schema: row['schema_name'] ?? '',
    apiFamilies: row['families'] == null ? [] : (JSON.parse(row['families']) as string[]),
  }))
}
