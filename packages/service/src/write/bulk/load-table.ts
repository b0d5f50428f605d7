// The table of a load, and the statements that make it a table like the current one of its type. A load that replaces most of a
// type also has one that becomes its history. Their names are made from an id of our own: nothing of a request is in them.
import { invariant } from '../../base/errors/invariant.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { indexed, indexName, rowKey, type TableSide } from '../../catalog/type-tables.ts'

/** 32 hexadecimal digits. */
export const isLoadId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/** What the name of every table of a load matches, and that of no other table. */
export const loadTablePattern = '^load_[0-9a-f]{32}(_history)?$'

/** Without the schema, as an index is named. */
const bareName = (load: string, side: TableSide): string => {
  invariant(isLoadId(load), 'load-with-another-id')
  return side === 'current' ? `load_${load}` : `load_${load}_history`
}

export const loadTable = (schema: string, load: string, side: TableSide = 'current'): string =>
  `${schema}.${bareName(load, side)}`

export const dropLoadTables = (schema: string, load: string): string =>
  `drop table if exists ${loadTable(schema, load)}, ${loadTable(schema, load, 'history')}`

/** Nothing vacuums the table before it is served: there would be nothing to remove, and the end of the load would have to wait. */
const unvacuumed = ['autovacuum_enabled', 'toast.autovacuum_enabled']

/** In current, `part` says which part a row came with, until the load is finished. */
export const createLoadTable = (type: ObjectType, load: string, side: TableSide = 'current'): string =>
  `create table ${loadTable(type.schema, load, side)} (like ${type.tables[side]} including storage including defaults${side === 'current' ? ', part bigint not null' : ''}) with (${unvacuumed.map((option) => `${option} = off`).join(', ')})`

/** An index that a table of a load gets, and the name that it has once the table is that of the type. */
export interface LoadIndex {
  readonly name: string
  readonly create: string
  readonly finalName: string
}

/** That of the primary key first: in current, it tells whether a key occurs twice. */
export const loadIndexes = (
  type: ObjectType,
  load: string,
  side: TableSide = 'current',
): readonly [LoadIndex, ...LoadIndex[]] => {
  const table = loadTable(type.schema, load, side)
  const named = (suffix: string, finalName: string, on: string, unique = ''): LoadIndex => {
    const name = `${bareName(load, side)}_${suffix}`
    return { name, create: `create ${unique}index if not exists ${name} on ${table} ${on}`, finalName }
  }
  const key = side === 'current' ? ['pk'] : rowKey(side)
  const own = `t${type.id}_${side}`
  return [
    named('pk', `${own}_pkey`, `(${key.join(', ')})`, 'unique '),
    ...(side === 'history' ? [named('version_to', `${own}_version_to`, '(version_to)')] : []),
    ...type.indexes.map((index) =>
      named(`i${index.number}`, indexName(type, index, side), indexed(index, side)),
    ),
  ]
}

/** Where a key is in several parts, the greatest part wins; within a part, no key occurs twice. */
export const removeDuplicates = (type: ObjectType, load: string): string => {
  const table = loadTable(type.schema, load)
  return `delete from ${table} l using (
  select pk, max(part) as part from ${table} group by pk having count(*) > 1
) last where l.pk = last.pk and l.part < last.part`
}

/**
 * Makes a table of a load that of the type, under all its names, as createTypeTables makes it. Only the catalog of PostgreSQL
 * changes: of a dropped column, nothing is left but its bytes in the rows.
 */
export function takePlace(type: ObjectType, load: string, side: TableSide): readonly string[] {
  const { schema, id, tables } = type
  const table = loadTable(schema, load, side)
  const [key, ...others] = loadIndexes(type, load, side)
  return [
    `drop table ${tables[side]}`,
    ...(side === 'current' ? [`alter table ${table} drop column part`] : []),
    `alter table ${table} reset (${unvacuumed.join(', ')})`,
    `alter table ${table} rename to t${id}_${side}`,
    `alter table ${tables[side]} add constraint ${key.finalName} primary key using index ${key.name}`,
    ...others.map(({ name, finalName }) => `alter index ${schema}.${name} rename to ${finalName}`),
  ]
}
