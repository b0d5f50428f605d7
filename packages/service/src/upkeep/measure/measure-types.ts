import type { Ontology } from '../../catalog/ontology.ts'
import { tableSides, type TableSide } from '../../catalog/type-tables.ts'
import type { Database, Reader, Row } from '../../postgres/database.ts'
import { storedRelation } from '../../postgres/stored-relation.ts'

/** The size of an object type, and how far back it can be read. */
export interface TypeMeasure {
  readonly ontology: string
  readonly objectType: string
  readonly live: number
  readonly floorLagVersions: number
  readonly snapshotAgeSeconds: number
  readonly historyRows: number
  readonly historyBytes: number
  readonly changesRows: number
  readonly changesBytes: number
  /** The age of the oldest state since which the changes are known. */
  readonly changesAgeSeconds: number
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
  database: Database,
  { schema, apiName }: Pick<Ontology, 'schema' | 'apiName'>,
): Promise<readonly TypeMeasure[]> {
  const reader = database.holding(schema)
  const rows = await reader.rows({
    text: `select t.api_name, k.object_type, k.live, k.version - k.floor as floor_lag,
  (select extract(epoch from now() at time zone 'UTC' - c.committed_at) from ${schema}.commits c
   where c.object_type = k.object_type and c.version > k.floor
   order by c.version limit 1) as snapshot_age,
  (select extract(epoch from now() at time zone 'UTC' - c.committed_at) from ${schema}.commits c
   where c.object_type = k.object_type and c.version >= k.changes_from
   order by c.version limit 1) as changes_age
from ${schema}.clock k join ${schema}.object_types t on t.id = k.object_type
order by k.live desc, k.object_type limit ${mostTypesMeasured}`,
    values: [],
  })
  const tableOf = (row: Row, side: TableSide | 'changes') => `${schema}.t${row['object_type']}_${side}`
  const names = rows.flatMap((row) => ([...tableSides, 'changes'] as const).map((side) => tableOf(row, side)))
  const sizes = await readSizes(reader, names, database.isCitus())
  return rows.map((row) => {
    const history = sizes.get(tableOf(row, 'history'))
    const changes = sizes.get(tableOf(row, 'changes'))
    return {
      ontology: apiName,
      objectType: row['api_name'] ?? '',
      live: Number(row['live']),
      floorLagVersions: Number(row['floor_lag']),
      // The clock of a new primary may be behind that of the old one.
      snapshotAgeSeconds: Math.max(0, Number(row['snapshot_age'] ?? 0)),
      historyRows: Number(history?.['rows'] ?? 0),
      historyBytes: Number(history?.['bytes'] ?? 0),
      changesRows: Number(changes?.['rows'] ?? 0),
      changesBytes: Number(changes?.['bytes'] ?? 0),
      changesAgeSeconds: Math.max(0, Number(row['changes_age'] ?? 0)),
      currentBytes: Number(sizes.get(tableOf(row, 'current'))?.['bytes'] ?? 0),
    }
  })
}

async function readSizes(
  reader: Reader,
  names: readonly string[],
  isCitus: boolean,
): Promise<ReadonlyMap<string, Row>> {
  const rows = await reader.rows({
    text: `select name, pg_stat_get_live_tuples(stored) as rows, pg_total_relation_size(stored) as bytes
from (select name, ${storedRelation('name', isCitus)} as stored from unnest($1::text[]) as given(name)) tables`,
    values: [names],
  })
  return new Map(rows.map((row) => [row['name'] ?? '', row]))
}
