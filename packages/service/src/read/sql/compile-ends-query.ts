// Where to split a collection. Small ones are split by all of their keys. Of a large one, some rows are looked at, each at a place of
// the table that was drawn by lot: so the price does not depend on the size, and nothing is trusted that may be out of date, as
// the statistics of PostgreSQL are.
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import { everything, type Filter } from '../../catalog/filter/filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { compileFilter } from './compile-filter.ts'

export interface EndsOptions {
  /** Only keys of objects that the caller can see are used. */
  readonly filter: Filter
  readonly partitionCount: number
  /** The places of the rows to look at; all rows when undefined. */
  readonly places: readonly string[] | undefined
}

/**
 * A row for each partition, in order: the last of its keys, and how many of all the keys that were looked at are in this partition and in
 * those before it. No row if there are no keys.
 */
export function compileEndsQuery(
  type: ObjectType,
  { filter, partitionCount, places }: EndsOptions,
): SqlQuery {
  const parameters = new Parameters()
  const wanted = parameters.add(partitionCount, 'integer')
  const conditions = [
    ...(places === undefined ? [] : [`ctid = any(${parameters.add(places, 'tid[]')})`]),
    ...(filter === everything ? [] : [compileFilter(filter, parameters)]),
  ]
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  // The fence keeps PostgreSQL from reading the whole index of the key, which has the wanted order, and looking for the places there.
  const fence = places === undefined ? '' : ' offset 0'
  return {
    text: `
select pk::text as key, place, keys
from (
  select pk, row_number() over (order by pk) as place, count(*) over () as keys
  from (select pk from ${type.tables.current}${where}${fence}) as seen
) as ranked
where place * ${wanted} / keys > (place - 1) * ${wanted} / keys
order by pk`,
    values: parameters.values,
  }
}
