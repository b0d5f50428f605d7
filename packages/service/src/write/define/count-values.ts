// Counts the objects that have each value of the counted properties (catalog/counts.ts), where that is not known. Writers are not
// locked out meanwhile: each of their commits changes the stored counts, right or wrong. So what is missing from a count at one version
// is still missing from it at any later one, and waits in a row of the same table until it is added. If the count of `red` is 2 and one
// statement finds 5 red objects, 3 wait; after a commit with another red object the count is 3, and 3 + 3 = 6 is right again.
import { addToCounts, countedColumns, countRows, countsAreKnown, isWaiting } from '../../catalog/counts.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'
import { wholeTables } from '../commit/stage-commit.ts'
import type { CatalogSources } from '../../catalog/catalog-sources.ts'

export async function countValues(database: SchemaDatabase, type: ObjectType): Promise<void> {
  const { clock, counts } = type.tables
  const isCounted = countedColumns(type).length > 0
  // -1 says that counting has begun. A change of the definition replaces it by null, and then nothing is added below.
  const begun = await database.rows({
    text: `update ${clock} k set counts_from = ${isCounted ? '-1' : 'version'}
where object_type = $1 and revision = $2 and revision_tag = $3 and not ${countsAreKnown('k')} returning 1`,
    values: [type.id, type.revision, type.revisionTag],
  })
  if (begun.length === 0 || !isCounted) return
  await database.transaction(async (transaction) => {
    await transaction.takeTime()
    await transaction.run(wholeTables)
    await transaction.run(`delete from ${counts} where ${isWaiting}`)
    await transaction.run(findDifferences(type))
  })
  await database.transaction(async (transaction) => {
    await transaction.takeTime()
    const known = await transaction.count({
      text: `update ${clock} set counts_from = version
where object_type = $1 and counts_from = -1`,
      values: [type.id],
    })
    if (known === 1) {
      await transaction.run(`insert into ${counts} as n (column_name, value, objects)
select substr(column_name, 2), value, objects from ${counts} where ${isWaiting}
${addToCounts}`)
    }
    await transaction.run(`delete from ${counts} where ${isWaiting}`)
  })
}

/** By their numbers, the object types whose counts are not known. */
export async function typesWithoutCounts(
  { database }: Pick<CatalogSources, 'database'>,
  { schema }: { readonly schema: string },
): Promise<ReadonlySet<number>> {
  const rows = await database.holding(schema).rows({
    text: `select object_type from ${schema}.clock k where not ${countsAreKnown('k')}`,
    values: [],
  })
  return new Set(rows.map((row) => Number(row['object_type'])))
}

/** Also of values that no object has any more, and of properties that are no longer counted. */
const findDifferences = (type: ObjectType): string => `
insert into ${type.tables.counts} (column_name, value, objects)
select '+' || coalesce(a.column_name, b.column_name), coalesce(a.value, b.value), coalesce(a.objects, 0) - coalesce(b.objects, 0)
from (
  ${countRows(type, type.tables.current)}
) a full join (
  select column_name, value, objects from ${type.tables.counts} where not ${isWaiting}
) b on b.column_name = a.column_name and b.value = a.value
where coalesce(a.objects, 0) <> coalesce(b.objects, 0)`
