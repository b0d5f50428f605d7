// Which objects have changed between two versions (catalog/changes.ts), each once.
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import { castType } from '../../catalog/column.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { PointInTime } from '../plan/page-plan.ts'
import { compileClock } from './compile-clock.ts'
import { keyText } from './record-text.ts'

/** The commits of a type in order, and the objects of each in the order of their keys. */
export interface ChangePlace {
  readonly version: string
  readonly key: string
}

export interface ChangesRange {
  readonly type: ObjectType
  readonly since: { readonly version: string }
  /** The later state: one that was captured before, or the latest. */
  readonly at: PointInTime
  /** What comes after this place; everything since the earlier state when undefined. */
  readonly after: ChangePlace | undefined
  /** Up to this place, if the range was read before. */
  readonly upTo?: ChangePlace | undefined
  /** Only objects up to this key; all of them when undefined. */
  readonly lastKey?: string | undefined
  /** How many changes are looked at. */
  readonly reach: number
  /** How many objects are wanted. */
  readonly most: number
}

/** What kind of row each is; the first column of all of them. */
export const changeRows = { clock: 'clock', changed: 'changed', created: 'created', end: 'end' } as const

/**
 * First the clock, with what is known of the earlier state. Then a row for each object, with its place. If there may be more changes
 * than were looked at, the last row is the place of the last of these.
 */
export function compileChangesQuery(range: ChangesRange): SqlQuery {
  const { type, since, at, after, upTo, lastKey, reach, most } = range
  const parameters = new Parameters()
  const { changes, clock, commits } = type.tables
  const from = parameters.add(since.version, 'bigint')
  const place = ({ version, key }: ChangePlace) =>
    `(${parameters.add(version, 'bigint')}, ${parameters.add(key, castType(type.key.scalar))})`
  const id = parameters.add(type.id, 'integer')
  const within = [
    after === undefined ? `version > ${from}` : `(version, pk) > ${place(after)}`,
    ...(upTo === undefined ? [] : [`(version, pk) <= ${place(upTo)}`]),
    ...(at.kind === 'snapshot' ? [`version <= ${parameters.add(at.version, 'bigint')}`] : []),
  ]
  const isFirst = `(version_before <= ${from} or version_before is null and not exists (
    select from ${changes} d where d.deleted and d.pk = s.pk and d.version > ${from} and d.version < s.version))`
  // Not among the conditions of the stretch: what is passed over counts as looked at.
  const isWanted =
    lastKey === undefined ? '' : ` and pk <= ${parameters.add(lastKey, castType(type.key.scalar))}`
  // In the order of the columns, not of the texts that they become.
  const text = `
with s as materialized (
  select version, pk, version_before from ${changes} where ${within.join(' and ')} order by version, pk limit ${parameters.add(reach, 'integer')}
)
(select '${changeRows.clock}' as kind, ${compileClock({ type, at }, parameters)} as one, concat(k.changes_from, ' ', (
  select tag from ${commits} where object_type = ${id} and version = ${from})) as other
from ${clock} k where k.object_type = ${id})
union all
(select case when version_before is null then '${changeRows.created}' else '${changeRows.changed}' end, version::text, ${keyText(type)}
from s where ${isFirst}${isWanted} order by s.version, s.pk limit ${parameters.add(most, 'integer')})
union all
(select '${changeRows.end}', version::text, ${keyText(type)} from s
where (select count(*) from s) = ${parameters.add(reach, 'integer')} order by s.version desc, s.pk desc limit 1)`
  return { text, values: parameters.values }
}
