// What an object type holds and what that costs, from the catalog of the database: nothing is counted.
import type { ObjectTypeStatistics } from '@octavo/protocol'
import { wireTime } from '../base/value/column-time.ts'
import { lruCache } from '../base/lru-cache.ts'
import type { IndexDeclaration } from '../catalog/index-declaration.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import { StaleDefinition } from '../catalog/stale-definition.ts'
import { indexName, indexNames, tableSides } from '../catalog/type-tables.ts'
import type { Database, Row } from '../postgres/database.ts'

type TypeFacts = Omit<ObjectTypeStatistics, 'retentionSeconds'>
export type ReadTypeStatistics = (type: ObjectType) => Promise<TypeFacts>

const keptMilliseconds = 5_000
const mostKept = 1_000

/** Sizes are read from the file system, so they are remembered for some seconds, however many ask. */
export function typeStatistics(database: Database, elapsed: () => number): ReadTypeStatistics {
  const kept = lruCache<{ readonly until: number; readonly relations: Promise<Relations> }>(mostKept)
  const relationsOf = (type: ObjectType): Promise<Relations> => {
    const name = `${type.tables.current} ${type.revision} ${type.revisionTag}`
    const known = kept.get(name)
    if (known !== undefined && known.until > elapsed()) return known.relations
    const relations = readRelations(database, type)
    kept.set(name, { until: elapsed() + keptMilliseconds, relations })
    // A failure is not remembered.
    relations.catch(() => kept.delete(name))
    return relations
  }
  return (type) => readStatistics(database, type, relationsOf)
}

const sides = [...tableSides, 'changes'] as const

async function readStatistics(
  database: Database,
  type: ObjectType,
  relationsOf: (type: ObjectType) => Promise<Relations>,
): Promise<TypeFacts> {
  const reader = database.holding(type.schema)
  const { clock, commits } = type.tables
  const [state] = await reader.rows({
    text: `select k.version, m.committed_at, k.live, k.floor, kept.committed_at as floor_at
from ${clock} k join ${commits} m on m.object_type = k.object_type and m.version = k.version
join ${commits} kept on kept.object_type = k.object_type and kept.version = k.floor where k.object_type = $1::integer`,
    values: [type.id],
  })
  if (state === undefined) throw new StaleDefinition(type)
  const known = await relationsOf(type)
  return {
    objectType: type.apiName,
    version: state['version'] ?? '',
    committedAt: wireTime(state['committed_at'] ?? ''),
    objectCount: Number(state['live']),
    oldestReadable: { version: state['floor'] ?? '', committedAt: wireTime(state['floor_at'] ?? '') },
    ...tableFacts(type, known),
    indexes: [primaryKey(type, known), ...type.indexes.map((index) => declared(type, index, known))],
  }
}

type Relations = ReadonlyMap<string, Row>

const keyNames = ({ id }: ObjectType): readonly string[] => [`t${id}_current_pkey`, `t${id}_history_pkey`]

/**
 * The tables and indexes of the type, by name. On a cluster, the rows are in a table of one node, whose name ends with a number, as do those of
 * its indexes; catalogs hide them, but not from their names. Where this is not that node, nothing is known of their sizes.
 */
async function readRelations(database: Database, type: ObjectType): Promise<Relations> {
  const names = [...keyNames(type), ...indexNames(type)].map((name) => ({
    name,
    table: name.includes('_history_') ? type.tables.history : type.tables.current,
  }))
  const all = [...sides.map((side) => ({ name: sideName(type, side), table: type.tables[side] })), ...names]
  const plain = `to_regclass(schema || '.' || name)`
  const shards = 'from pg_dist_shard d where d.logicalrelid = to_regclass(held_by)'
  const stored = database.isCitus()
    ? `case when exists (select ${shards}) then (select to_regclass(schema || '.' || name || '_' || d.shardid) ${shards}) else ${plain} end`
    : plain
  const rows = await database.holding(type.schema).rows({
    text: `select name, pg_total_relation_size(stored) as bytes, pg_stat_get_live_tuples(stored) as rows, pg_stat_get_numscans(stored) as uses
from (
  select name, ${stored} as stored from unnest($2::text[], $3::text[]) as named(name, held_by) cross join (select $1::text as schema) as place
) as relations where stored is not null`,
    values: [type.schema, all.map(({ name }) => name), all.map(({ table }) => table)],
  })
  return new Map(rows.map((row) => [row['name'] ?? '', row]))
}

const sideName = ({ id }: ObjectType, side: (typeof sides)[number]): string => `t${id}_${side}`

function tableFacts(type: ObjectType, known: Relations): Pick<TypeFacts, (typeof sides)[number]> {
  return Object.fromEntries(
    sides.flatMap((side) => {
      const row = known.get(sideName(type, side))
      return row === undefined
        ? []
        : [[side, { rowCount: Number(row['rows']), byteCount: Number(row['bytes']) }]]
    }),
  )
}

const primaryKey = (type: ObjectType, known: Relations): TypeFacts['indexes'][number] => ({
  kind: 'primaryKey',
  fields: [{ field: type.key.property, direction: 'asc' }],
  ...sumOf(keyNames(type), known),
})

const declared = (
  type: ObjectType,
  index: IndexDeclaration,
  known: Relations,
): TypeFacts['indexes'][number] => ({
  kind: index.kind,
  fields: index.keys.map(({ column, direction }) => {
    const { property = type.key.property, component } = type.columns.find(({ name }) => name === column) ?? {}
    return { field: component === undefined ? property : `${property}:${component}`, direction }
  }),
  ...sumOf(
    tableSides.map((side) => indexName(type, index, side)),
    known,
  ),
})

function sumOf(names: readonly string[], known: Relations): { byteCount?: number; useCount?: number } {
  const found = [...new Set(names)].map((name) => known.get(name)).filter((row) => row !== undefined)
  if (found.length === 0) return {}
  const sum = (column: string) => found.reduce((total, row) => total + Number(row[column]), 0)
  return { byteCount: sum('bytes'), useCount: sum('uses') }
}
