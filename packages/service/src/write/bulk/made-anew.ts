import type { ObjectType } from '../../catalog/object-type.ts'
import { tableSides } from '../../catalog/type-tables.ts'
import type { Reader } from '../../postgres/database.ts'
import { loadIndexes, loadTable } from './load-table.ts'

/** All of history is copied. Where it is larger than this many times the objects, that costs more than it saves. */
const mostHistory = 2

/**
 * Whether the tables of a type can be dropped for new ones: they have what we give them and nothing else. The new tables would
 * not have what somebody else has added (an index, a view, a publication, a privilege, a storage option), nor the index
 * that is there while stored objects are checked.
 */
export async function canBeMadeAnew(reader: Reader, type: ObjectType, load: string): Promise<boolean> {
  const indexes = tableSides.flatMap((side) =>
    loadIndexes(type, load, side).map(({ finalName }) => finalName),
  )
  const [row] = await reader.rows({
    text: `with ours as (
  select oid, relacl, reloptions from pg_class where oid in ($1::regclass, $2::regclass)
)
select pg_table_size($2::regclass) <= ${mostHistory} * greatest(pg_table_size($1::regclass), pg_table_size($3::regclass)) as small,
  exists (select from ours join pg_class l on l.oid = $3::regclass
    where ours.relacl is distinct from l.relacl or ours.reloptions is not null) as set,
  exists (select from ours join pg_index i on i.indrelid = ours.oid join pg_class c on c.oid = i.indexrelid
    where c.relname <> all($4::text[])) as indexed,
  exists (select from ours join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = ours.oid
    where d.classid <> all(array['pg_class', 'pg_constraint', 'pg_type', 'pg_attrdef']::regclass[])) as used`,
    values: [type.tables.current, type.tables.history, loadTable(type.schema, load), indexes],
  })
  return row?.['small'] === 't' && [row['set'], row['indexed'], row['used']].every((found) => found === 'f')
}
