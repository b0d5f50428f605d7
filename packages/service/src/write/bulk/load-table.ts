// The table of a load, and the statements that make it a table like the current one of its type. Its name is made from an id of
// our own: nothing of a request is in it.
import { invariant } from '../../base/errors/invariant.ts'
import type { IndexDeclaration } from '../../catalog/index-declaration.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { indexed, indexName } from '../../catalog/type-tables.ts'

/** 32 hexadecimal digits. */
export const isLoadId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/** What the name of every table of a load matches, and that of no other table. */
export const loadTablePattern = '^load_[0-9a-f]{32}$'

/** Without the schema, as an index is named. */
const bareName = (load: string): string => {
  invariant(isLoadId(load), 'load-with-another-id')
  return `load_${load}`
}

export const loadTable = (schema: string, load: string): string => `${schema}.${bareName(load)}`

/**
 * `part` says which part a row came with, until the load is finished. Nothing vacuums the table until then: vacuuming would find
 * nothing to remove, and would hold a lock for which the end of the load has to wait.
 */
export const createLoadTable = (type: ObjectType, load: string): string =>
  `create table ${loadTable(type.schema, load)} (like ${type.tables.current} including storage, part bigint not null) with (autovacuum_enabled = off, toast.autovacuum_enabled = off)`

/** An index that the table of a load gets, and the name that it has once the table is the current one. */
export interface LoadIndex {
  readonly name: string
  readonly create: string
  /** Undefined for that of the primary key, which is renamed with its constraint. */
  readonly finalName: string | undefined
}

/** That of the primary key first: it tells whether a key occurs twice. */
export const loadIndexes = (type: ObjectType, load: string): readonly [LoadIndex, ...LoadIndex[]] => {
  const table = loadTable(type.schema, load)
  const other = (index: IndexDeclaration): LoadIndex => {
    const name = `${bareName(load)}_i${index.number}`
    return {
      name,
      create: `create index if not exists ${name} on ${table} ${indexed(index, 'current')}`,
      finalName: indexName(type, index, 'current'),
    }
  }
  const key = `${bareName(load)}_pk`
  return [
    { name: key, create: `create unique index if not exists ${key} on ${table} (pk)`, finalName: undefined },
    ...type.indexes.map(other),
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
 * Makes the table of a load the current one, under all its names, as createTypeTables makes it. Only the catalog of PostgreSQL
 * changes: of a dropped column, nothing is left but its bytes in the rows.
 */
export function becomeCurrent(type: ObjectType, load: string): readonly string[] {
  const { schema, id, tables } = type
  const [key, ...others] = loadIndexes(type, load)
  return [
    `drop table ${tables.current}`,
    `alter table ${loadTable(schema, load)} drop column part`,
    `alter table ${loadTable(schema, load)} reset (autovacuum_enabled, toast.autovacuum_enabled)`,
    `alter table ${loadTable(schema, load)} rename to t${id}_current`,
    `alter table ${tables.current} add constraint t${id}_current_pkey primary key using index ${key.name}`,
    ...others.map(({ name, finalName }) => `alter index ${schema}.${name} rename to ${finalName}`),
  ]
}
