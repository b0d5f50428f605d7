// How many objects have each value of a property that is declared `counted`. A type with such properties has a table with a row for
// each value; a commit adds the rows that it writes and subtracts those that it ends.
//
// The counts are right from the version `counts_from` on. After a property was declared `counted` it is null, and -1 while the objects
// that are there are counted (write/define/count-values.ts).
import type { Column } from './column.ts'
import type { ObjectType } from './object-type.ts'

/** Their texts are the same on every node and in every session. */
export const countedScalars = ['string', 'boolean', 'integer', 'long'] as const

/** The columns whose values are counted. */
export const countedColumns = ({
  columns,
  definition,
}: Pick<ObjectType, 'columns' | 'definition'>): readonly Column[] =>
  columns.filter(
    ({ role, property }) => role === 'value' && definition.properties[property]?.counted === true,
  )

/** Rows are updated in place by almost every commit. Can be run again. */
export const createCounts = (type: ObjectType): readonly string[] =>
  countedColumns(type).length === 0
    ? []
    : [
        `create table if not exists ${type.tables.counts} (
    column_name text collate "C" not null,
    value text collate "C" not null,
    objects bigint not null,
    primary key (column_name, value)
  ) with (fillfactor = 50)`,
      ]

/** The values of the counted columns of the rows with this alias: an item of FROM with the alias `v`, a row for each column. */
export const compileCountedValues = (type: ObjectType, alias: string): string =>
  `lateral (values ${countedColumns(type)
    .map(({ name }) => `('${name}', ${alias}.${name}::text)`)
    .join(', ')}) as v(column_name, value)`

/** How many rows of the table have each value. */
export const countRows = (type: ObjectType, table: string): string =>
  `select v.column_name, v.value, count(*) as objects from ${table} c cross join ${compileCountedValues(type, 'c')}
  where v.value is not null group by v.column_name, v.value`

/** Numbers that are found while others write wait in rows of the same table, with a sign before the name of their column. */
export const isWaiting = "column_name ^@ '+'"

/** The end of a statement that inserts changes of counts, with the alias `n` for the table. */
export const addToCounts =
  'on conflict (column_name, value) do update set objects = n.objects + excluded.objects'

/** Whether the counts are those of the newest version, for the clock row with this alias. */
export const countsAreKnown = (clock: string): string => `(coalesce(${clock}.counts_from, -1) >= 0)`
