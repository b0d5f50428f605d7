// A table or view of some other database, as `octavo init` and `octavo load` read it: what the catalog says of its columns, and its
// rows as CSV. Identifiers are looked up with parameters and quoted by PostgreSQL; no text of a user becomes SQL.
import { copyFromSource, readSource, type SourceRow } from '../postgres/source-client.ts'

export interface SourceColumn {
  readonly name: string
  /** As SQL writes it, for people: `numeric(10,2)`. */
  readonly typeText: string
  /** The base type of a domain, the element type of an array; PostgreSQL's own name, such as `int8`. */
  readonly typeName: string
  readonly isArray: boolean
  /** What PostgreSQL calls typtype: b is a base type, c a composite, e an enum, r a range, m a multirange. */
  readonly typeKind: string
  /** Of a numeric with a declared precision. */
  readonly digits: { readonly precision: number; readonly scale: number } | undefined
  readonly isNotNull: boolean
  /** Whether a unique index is on this column alone. */
  readonly isUnique: boolean
}

export interface SourceTable {
  /** Schema and name, quoted where SQL needs it. */
  readonly name: string
  /** Without the schema, and not quoted. */
  readonly plainName: string
  /** Who reads it, quoted where SQL needs it. */
  readonly user: string
  readonly columns: readonly SourceColumn[]
  /** Empty without a primary key, as for a view. */
  readonly primaryKey: readonly string[]
  /** These columns of all rows as CSV without a header, in one state of the table. A null is an empty cell without quotes. */
  readonly read: (columns: readonly string[]) => AsyncIterable<Buffer>
}

export interface NoSourceTable {
  readonly kind: 'no table'
  /** Names of tables and views that exist, as they can be given. */
  readonly names: readonly string[]
}

/** `table` is a name, with or without its schema, quoted as in SQL or not. */
export function openSourceTable(databaseUrl: string, table: string): Promise<SourceTable | NoSourceTable> {
  return readSource(databaseUrl, async (rows) => {
    const [found] = await rows(findTable, [table])
    if (found === undefined) {
      const known = await rows(knownTables, [])
      return { kind: 'no table', names: known.map((row) => row['name'] ?? '') }
    }
    const columns = (await rows(readColumns, [found['oid'] ?? ''])).map(columnOf)
    const name = found['name'] ?? ''
    return {
      name,
      plainName: found['plain_name'] ?? '',
      user: found['user'] ?? '',
      columns: columns.map(({ column }) => column),
      primaryKey: columns
        .filter(({ keyPlace }) => keyPlace > 0)
        .toSorted((a, b) => a.keyPlace - b.keyPlace)
        .map(({ column }) => column.name),
      read: (wanted) => {
        const chosen = wanted.flatMap((each) => columns.filter(({ column }) => column.name === each))
        const list = chosen.map(({ column, quoted }) => cellOf(column, quoted)).join(', ')
        return copyFromSource(databaseUrl, `copy (select ${list} from ${name}) to stdout (format csv)`)
      },
    }
  })
}

const tables = `pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'f')`

// The name as it is comes before the name as SQL would fold it.
const findTable = `select c.oid, format('%I.%I', n.nspname, c.relname) as name, c.relname as plain_name, format('%I', current_user) as user from ${tables}
and (pg_table_is_visible(c.oid) and (c.relname::text in ($1, lower($1)) or format('%I', c.relname) in ($1, lower($1)))
  or n.nspname || '.' || c.relname in ($1, lower($1)) or format('%I.%I', n.nspname, c.relname) in ($1, lower($1)))
order by $1 in (c.relname::text, n.nspname || '.' || c.relname, format('%I', c.relname), format('%I.%I', n.nspname, c.relname)) desc
limit 1`

const knownTables = `select case when pg_table_is_visible(c.oid) then format('%I', c.relname)
  else format('%I.%I', n.nspname, c.relname) end as name
from ${tables} and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_toast%' order by 1 limit 5000`

const readColumns = `with recursive typed as (
  select a.attnum, a.attname, a.attnotnull, a.atttypid, a.atttypmod, format_type(a.atttypid, a.atttypmod) as type_text
  from pg_attribute a where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped
  union all
  select d.attnum, d.attname, d.attnotnull or t.typnotnull, t.typbasetype, t.typtypmod, d.type_text
  from typed d join pg_type t on t.oid = d.atttypid where t.typtype = 'd'
)
select d.attname as name, format('%I', d.attname) as quoted, d.type_text, d.attnotnull as not_null,
  coalesce(e.typname, t.typname) as type_name, coalesce(e.typtype, t.typtype) as type_kind, e.oid is not null as is_array,
  case when t.typname = 'numeric' and d.atttypmod >= 4 then (d.atttypmod - 4) >> 16 end as precision,
  case when t.typname = 'numeric' and d.atttypmod >= 4 then (((d.atttypmod - 4) & 2047) # 1024) - 1024 end as scale,
  coalesce((select array_position(i.indkey::int2[], d.attnum) + 1 from pg_index i
    where i.indrelid = $1::oid and i.indisprimary and array_position(i.indkey::int2[], d.attnum) < i.indnkeyatts), 0) as key_place,
  exists (select from pg_index i where i.indrelid = $1::oid and i.indisunique and i.indisvalid and i.indpred is null
    and i.indnkeyatts = 1 and i.indkey[0] = d.attnum) as is_unique
from typed d join pg_type t on t.oid = d.atttypid left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
where t.typtype <> 'd' order by d.attnum`

function columnOf(row: SourceRow) {
  const text = (name: string): string => row[name] ?? ''
  const precision = row['precision']
  const column: SourceColumn = {
    name: text('name'),
    typeText: text('type_text'),
    typeName: text('type_name'),
    typeKind: text('type_kind'),
    isArray: text('is_array') === 't',
    digits:
      typeof precision === 'string'
        ? { precision: Number(precision), scale: Number(text('scale')) }
        : undefined,
    isNotNull: text('not_null') === 't',
    isUnique: text('is_unique') === 't',
  }
  return { column, quoted: text('quoted'), keyPlace: Number(text('key_place')) }
}

/** Numbers and booleans are JSON numbers and booleans inside an array; all others are strings, so that no digit is lost. */
const plainInJson: ReadonlySet<string> = new Set(['bool', 'int2', 'int4', 'float4', 'float8', 'date'])

/** The expression for a cell that a load takes. */
function cellOf({ typeName, isArray }: SourceColumn, quoted: string): string {
  // A time without a zone is read in the zone of the session, which is UTC.
  if (typeName === 'timestamp' || typeName === 'timestamptz') {
    return isArray ? `to_json(${quoted}::timestamptz[])::text` : `to_json(${quoted}::timestamptz) #>> '{}'`
  }
  if (isArray)
    return plainInJson.has(typeName) ? `to_json(${quoted})::text` : `to_json(${quoted}::text[])::text`
  // JSON of the type json may span lines.
  return typeName === 'json' ? `${quoted}::jsonb::text` : `${quoted}::text`
}
