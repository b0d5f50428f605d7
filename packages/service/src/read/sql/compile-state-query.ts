import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import type { ObjectType } from '../../catalog/object-type.ts'

/** The state that stood at a time, or at a version of a single type. */
export type EarlierState = { readonly at: string } | { readonly version: string }

/**
 * One row for each type: the newest commit that is not after the time or the version, with its tag, when the next one ended that state,
 * and the oldest one that can be read. One statement sees all types in one state.
 */
export function compileStateQuery(
  types: readonly [ObjectType, ...ObjectType[]],
  wanted: EarlierState,
): SqlQuery {
  const parameters = new Parameters()
  const { clock, commits } = types[0].tables
  const ids = parameters.add(
    types.map(({ id }) => String(id)),
    'integer[]',
  )
  const present = `now() at time zone 'UTC'`
  const { found, isOlder, isLater } = 'at' in wanted ? byTime(wanted.at) : byVersion(wanted.version)
  return {
    text: `select k.object_type, k.version as newest, k.floor, kept.committed_at as floor_at, found.version, m.tag, ${present} as present,
  ${isOlder} as is_older, ${isLater} as is_later,
  (extract(epoch from coalesce(ended.committed_at, ${present})) * 1000)::bigint as latest_until
from ${clock} k
join ${commits} kept on kept.object_type = k.object_type and kept.version = k.floor
cross join lateral (${found}) as found
left join ${commits} m on m.object_type = k.object_type and m.version = found.version
left join lateral (
  select committed_at from ${commits} where object_type = k.object_type and version > found.version order by version limit 1
) as ended on true
where k.object_type = any(${ids})`,
    values: parameters.values,
  }

  function byVersion(version: string) {
    const limit = parameters.add(version, 'bigint')
    return {
      found: `select version from ${commits} where object_type = k.object_type and version <= ${limit} order by version desc limit 1`,
      isOlder: `${limit} < k.floor`,
      isLater: `${limit} > k.version`,
    }
  }

  /**
   * Times grow with versions, so halving the versions again and again finds the commit: an index has none of their times, and looking
   * through all commits since would take as long as there are many.
   */
  function byTime(at: string) {
    const limit = parameters.add(at, 'timestamp')
    return {
      found: `with recursive bounds(low, high) as (
    select k.floor, k.version
    union all
    select case when tried.committed_at <= ${limit} then tried.version else low end, case when tried.committed_at <= ${limit} then high else middle - 1 end
    from bounds cross join lateral (select (low + high + 1) / 2 as middle) as half
    cross join lateral (
      select version, committed_at from ${commits} where object_type = k.object_type and version >= middle order by version limit 1
    ) as tried
    where low < high
  )
  select max(low) as version from bounds`,
      isOlder: `kept.committed_at > ${limit}`,
      isLater: `${limit} > ${present}`,
    }
  }
}
