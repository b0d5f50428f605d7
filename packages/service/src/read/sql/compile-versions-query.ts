// The states of one object that are kept, newest first, together with the clock.
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import { castType } from '../../catalog/column.ts'
import type { Filter } from '../../catalog/filter/filter.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { compileClock } from './compile-clock.ts'
import { compileFilter } from './compile-filter.ts'
import { recordColumns, recordText } from './record-text.ts'

export interface VersionsRange extends Pick<PagePlan, 'type' | 'at' | 'record' | 'byteBudget'> {
  readonly key: string
  /** Matches the states that the caller may read. */
  readonly visible: Filter
  /** Where the page before ended; undefined for the first page. */
  readonly before: VersionPlace | undefined
  /** The most states. */
  readonly most: number
}

export interface VersionPlace {
  /** States from here on have been returned. */
  readonly version: string
  /** States before it have ended in this epoch of history or in an earlier one; null if that is unknown. */
  readonly epoch: string | null
}

/**
 * Every row has the clock. A state that is past the byte budget comes without its record.
 *
 * A row of history has the epoch in which it ended, so from epoch to epoch, backwards, the states of an object come in the order of
 * their versions. Each epoch is one look at the key of history: as many as are kept, a few hundred at most, and reading ends with the
 * epoch that fills the page.
 */
export function compileVersionsQuery(range: VersionsRange): SqlQuery {
  const parameters = new Parameters()
  const { type, record, before } = range
  const { clock, commits, current } = type.tables
  const most = parameters.add(range.most, 'bigint')
  const pk = parameters.add(range.key, castType(type.key.scalar))
  const columns = ['pk', 'version_from', ...recordColumns(range)].join(', ')
  const scan: Scan = (table, ended, within) =>
    `select ${columns}, ${ended} from ${table} where ${[...within, `pk = ${pk}`, compileFilter(range.visible, parameters)].join(' and ')} order by version_from desc limit ${most}`
  const ended = [
    'version_to > k.floor',
    ...(before === undefined
      ? []
      : [
          `version_from < ${parameters.add(before.version, 'bigint')}`,
          `version_to <= ${parameters.add(before.version, 'bigint')}`,
        ]),
  ]
  const states = [
    ...(before === undefined ? [scan(current, 'null::bigint as version_to, null::bigint as epoch', [])] : []),
    historyOf(range, { most, ended, scan, parameters }),
  ]
  const bytes = `octet_length(scalars)${record === '2.0' && type.hasOthers ? ' + coalesce(octet_length(others), 0)' : ''}`
  const { head, value } = recordText(type, { shape: record, withEscapes: true }, parameters)
  const id = parameters.add(type.id, 'integer')
  const timeOf = (version: string) =>
    `(select m.committed_at from ${commits} m where m.object_type = ${id} and m.version = ${version})`
  const fits = `bytes < ${parameters.add(range.byteBudget, 'bigint')}`
  return {
    text: `select ${compileClock(range, parameters)} as clock, ${timeOf('k.floor')} as floor_at, kept.*, ${timeOf('kept.version_from')} as began_at, ${timeOf('kept.version_to')} as ended_at
from ${clock} k left join lateral (
  select version_from, version_to, epoch, case when ${fits} then ${head} end as head, case when ${fits} then ${value} end as value
  from (
    select *, coalesce(sum(${bytes}) over (order by version_from desc rows between unbounded preceding and 1 preceding), 0) as bytes
    from (${states.map((some) => `(${some})`).join(' union all ')}) as sides order by version_from desc limit ${most}
  ) as framed
) as kept on true where k.object_type = ${id} order by kept.version_from desc`,
    values: parameters.values,
  }
}

type Scan = (table: string, ended: string, within: readonly string[]) => string

interface HistoryParts {
  readonly most: string
  readonly ended: readonly string[]
  readonly scan: Scan
  readonly parameters: Parameters
}

function historyOf({ type, before }: VersionsRange, { most, ended, scan, parameters }: HistoryParts): string {
  const { history } = type.tables
  const newest =
    before?.epoch == null ? 'k.epoch' : `least(k.epoch, ${parameters.add(before.epoch, 'bigint')})`
  const some = scan(history, 'version_to, epoch', ['epoch = seen.one', ...ended])
  // A lateral join with the rows of a function goes through them in their order.
  return `select found.* from generate_series(${newest}, k.floor_epoch, -1) as seen(one) cross join lateral (${some}) as found limit ${most}`
}
