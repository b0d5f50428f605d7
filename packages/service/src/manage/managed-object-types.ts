import type { ManagedObjectType, Rid } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Reader } from '../postgres/database.ts'
import { wireTime } from '../base/value/column-time.ts'

/** Reads the state of types of one ontology in one statement. */
export async function managedObjectTypes(
  reader: Reader,
  types: readonly ObjectType[],
): Promise<readonly ManagedObjectType[]> {
  const [first] = types
  if (first === undefined) return []
  const { clock, commits } = first.tables
  const rows = await reader.rows({
    text: `select k.object_type, k.version, k.live, m.committed_at
from ${clock} k join ${commits} m on m.object_type = k.object_type and m.version = k.version
where k.object_type = any ($1::integer[])`,
    values: [types.map((type) => String(type.id))],
  })
  const byType = new Map(rows.map((row) => [Number(row['object_type']), row]))
  return types.map((type) => {
    const row = byType.get(type.id)
    return {
      apiName: type.apiName,
      rid: type.rid as Rid,
      revision: type.revision,
      version: row?.['version'] ?? '0',
      objects: row?.['live'] ?? '0',
      committedAt: wireTime(row?.['committed_at'] ?? ''),
      preparing: preparing(type),
      definition: type.definition,
    }
  })
}

function preparing(type: ObjectType): string[] {
  const columns = type.columns.filter(({ filled }) => !filled)
  const building = type.indexes.filter(({ ready }) => !ready).flatMap(({ keys }) => keys)
  const unbuilt = type.columns.filter(({ name }) => building.some(({ column }) => column === name))
  return [...new Set([...columns, ...unbuilt].map(({ property }) => property))]
}
