// The table of a load, and the statements that make it a table like the current one of its type. Its name is made from an id of our
// own: nothing of a request is in it.
import { invariant } from '../../base/errors/invariant.ts'
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

export const dropLoadTable = (schema: string, load: string): string =>
  `drop table if exists ${loadTable(schema, load)}`

/** Nothing vacuums the table before it is served: there would be nothing to remove, and the end of the load would have to wait. */
const unvacuumed = ['autovacuum_enabled', 'toast.autovacuum_enabled']

/** The column `part` says which part a row came with, until the load is finished. */
export const createLoadTable = (type: ObjectType, load: string): string =>
  `create table ${loadTable(type.schema, load)} (like ${type.tables.current} including storage including defaults, part bigint not null) with (${unvacuumed.map((option) => `${option} = off`).join(', ')})`

/** An index that the table of a load gets, and the name that it has once the table is that of the type. */
export interface LoadIndex {
  readonly name: string
  readonly create: string
  readonly finalName: string
}

/** That of the primary key first: it tells whether a key occurs twice. */
export const loadIndexes = (type: ObjectType, load: string): readonly [LoadIndex, ...LoadIndex[]] => {
  const named = (suffix: string, finalName: string, on: string, unique = ''): LoadIndex => {
    const name = `${bareName(load)}_${suffix}`
    const create = `create ${unique}index if not exists ${name} on ${loadTable(type.schema, load)} ${on}`
    return { name, create, finalName }
  }
  return [
    named('pk', `t${type.id}_current_pkey`, '(pk)', 'unique '),
    ...type.indexes.map((index) =>
      named(`i${index.number}`, indexName(type, index, 'current'), indexed(index, 'current')),
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
 * Makes the table of a load the current one of the type, under all its names, as createTypeTables makes it. Only the catalog of
 * PostgreSQL changes: of the dropped column, nothing is left but its bytes in the rows.
 */
export function becomeCurrent(type: ObjectType, load: string): readonly string[] {
  const { schema, id, tables } = type
  const table = loadTable(schema, load)
  const [key, ...others] = loadIndexes(type, load)
  return [
    `drop table ${tables.current}`,
    `alter table ${table} drop column part`,
    `alter table ${table} reset (${unvacuumed.join(', ')})`,
    `alter table ${table} rename to t${id}_current`,
    `alter table ${tables.current} add constraint ${key.finalName} primary key using index ${key.name}`,
    ...others.map(({ name, finalName }) => `alter index ${schema}.${name} rename to ${finalName}`),
  ]
}
