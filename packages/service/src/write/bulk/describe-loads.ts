// How far loads have come, as their callers are shown it.
import type { CommitReceipt, Load, LoadPhase } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Reader, Row } from '../../postgres/database.ts'
import { isLoadId, loadIndexes } from './load-table.ts'

export interface ListedLoad {
  readonly load: Load
  /** Its place in the list, exact to the microsecond. */
  readonly position: readonly string[]
}

export async function describeLoad(reader: Reader, type: ObjectType, load: string): Promise<Load> {
  const [row] = isLoadId(load)
    ? await reader.rows({
        text: `${described(type.schema)} where l.load = $1 and l.object_type = $2`,
        values: [load, type.id],
      })
    : []
  if (row === undefined) throw new ServiceError('LoadNotFound', { loadId: load })
  return shown(row, type)
}

/** In the order in which they were begun, after the given one or from the first. */
export async function listLoads(
  reader: Reader,
  schema: string,
  {
    types,
    after,
    count,
  }: {
    readonly types: readonly ObjectType[]
    readonly after: readonly (string | null)[] | undefined
    readonly count: number
  },
): Promise<readonly ListedLoad[]> {
  const [time = null, id = null] = after ?? []
  const byId = new Map(types.map((type) => [String(type.id), type]))
  const rows = await reader.rows({
    text: `${described(schema)}
where l.object_type = any($1::integer[]) and ($2::timestamp is null or (l.begun_at, l.load) > ($2::timestamp, $3::text))
order by l.begun_at, l.load limit $4`,
    values: [[...byId.keys()], time, id, count],
  })
  return rows.flatMap((row) => {
    const type = byId.get(row['object_type'] ?? '')
    return type === undefined
      ? []
      : [{ load: shown(row, type), position: [row['begun_at'] ?? '', row['load'] ?? ''] }]
  })
}

/** The table of a load has its id in its name (load-table.ts). */
const described = (
  schema: string,
): string => `select l.load, l.object_type, l.replaces, l.phase, l.receipt, l.begun_at, p.parts, p.objects,
  (select count(*) from pg_index where indrelid = to_regclass('${schema}.load_' || l.load) and indisvalid) as built
from ${schema}.loads l
cross join lateral (
  select count(*) as parts, coalesce(sum(objects), 0) as objects from ${schema}.load_parts where load = l.load
) p`

function shown(row: Row, type: ObjectType): Load {
  const load = row['load'] ?? ''
  const phase = row['phase'] as LoadPhase
  const indexCount = loadIndexes(type, load).length
  return {
    loadId: load,
    objectTypes: [type.apiName],
    replace: row['replaces'] === 't',
    phase,
    partCount: Number(row['parts']),
    objectCount: Number(row['objects']),
    indexCount,
    builtIndexCount: phase === 'done' ? indexCount : Number(row['built']),
    ...(row['receipt'] != null && { receipt: JSON.parse(row['receipt']) as CommitReceipt }),
  }
}
