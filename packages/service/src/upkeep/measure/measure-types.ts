import type { Ontology } from '../../catalog/ontology.ts'
import type { Reader } from '../../postgres/database.ts'

/** The size of an object type, and how far back it can be read. */
export interface TypeMeasure {
  readonly ontology: string
  readonly objectType: string
  readonly live: number
  readonly floorLagVersions: number
  readonly snapshotAgeSeconds: number
  readonly historyRows: number
  readonly historyBytes: number
  readonly currentBytes: number
}

/** The limit for each ontology: every type adds a handful of time series to the metrics database. */
export const mostTypesMeasured = 20

/**
 * Measures the largest types of an ontology. Nothing is counted: the clock knows the number of objects, and PostgreSQL keeps an
 * estimate of the rows of a table. Unlike reltuples, which waits for a vacuum, this estimate follows a commit within about ten
 * seconds.
 */
export async function measureTypes(
  reader: Reader,
  { schema, apiName }: Pick<Ontology, 'schema' | 'apiName'>,
): Promise<readonly TypeMeasure[]> {
  const rows = await reader.rows({
    text: `with largest as (
  select t.api_name, k.object_type, k.live, k.version, k.floor
  from ${schema}.clock k join ${schema}.object_types t on t.id = k.object_type
  order by k.live desc, k.object_type limit ${mostTypesMeasured}
), tables as (
  select l.*, to_regclass('${schema}.t' || l.object_type || '_current') as current,
    to_regclass('${schema}.t' || l.object_type || '_history') as history
  from largest l
)
select api_name, live, version - floor as floor_lag,
  (select extract(epoch from now() at time zone 'UTC' - c.committed_at) from ${schema}.commits c
   where c.object_type = tables.object_type and c.version > tables.floor
   order by c.version limit 1) as snapshot_age,
  pg_stat_get_live_tuples(history) as history_rows,
  pg_total_relation_size(history) as history_bytes,
  pg_total_relation_size(current) as current_bytes
from tables`,
    values: [],
  })
  return rows.map((row) => ({
    ontology: apiName,
    objectType: row['api_name'] ?? '',
    live: Number(row['live']),
    floorLagVersions: Number(row['floor_lag']),
    // The clock of a new primary may be behind that of the old one.
    snapshotAgeSeconds: Math.max(0, Number(row['snapshot_age'] ?? 0)),
    historyRows: Number(row['history_rows'] ?? 0),
    historyBytes: Number(row['history_bytes'] ?? 0),
    currentBytes: Number(row['current_bytes'] ?? 0),
  }))
}
